const MAX_REMEMBERED = 10_000;

/**
 * Remembers what was read for a key until a version changes: then it is read again.
 * @param currentVersion another one after every change, of rights for one; fails when it cannot be
 * known
 * @param most keys that are remembered
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
    const held = remembered.get(key);
    if (held !== undefined) return held.value;

    const value = await read(key);
    // Read under an older version, the answer must not outlive the change that came meanwhile.
    if (version === rememberedAt) {
      if (remembered.size >= most) remembered.clear();
      remembered.set(key, { value });
    }
    return value;
  };
};
