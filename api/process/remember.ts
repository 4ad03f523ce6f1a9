const MAX_REMEMBERED = 10_000;

/**
 * @param currentVersion changes, for example, after a change of rights; rejects if it is unknown
 * @param most maximum number of cached keys
 */
export const createVersionedCache = <Value>(
  currentVersion: () => Promise<bigint | string>,
  read: (key: string) => Promise<Value>,
  most = MAX_REMEMBERED,
): ((key: string) => Promise<Value>) => {
  let rememberedAt: bigint | string | null = null;
  const remembered = new Map<string, { readonly value: Value }>();

  return async (key) => {
    const version = await currentVersion();
    if (version !== rememberedAt) {
      remembered.clear();
      rememberedAt = version;
    }
    const entry = remembered.get(key);
    if (entry !== undefined) return entry.value;

    const value = await read(key);
    // A value read under an older version must not outlive a change during the read.
    if (version === rememberedAt) {
      if (remembered.size >= most) remembered.clear();
      remembered.set(key, { value });
    }
    return value;
  };
};
