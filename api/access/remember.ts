const MOST_REMEMBERED = 10_000;

/**
 * Remembers what was read for a key until the access version changes: then it is read again.
 * @param accessVersion counter that goes up with every change of rights; fails when it cannot be known
 */
export const rememberUnder = <Value>(
  accessVersion: () => Promise<bigint>,
  read: (key: string) => Promise<Value>,
): ((key: string) => Promise<Value>) => {
  let rememberedAt = -1n;
  const remembered = new Map<string, { readonly value: Value }>();

  return async (key) => {
    const version = await accessVersion();
    if (version !== rememberedAt) {
      remembered.clear();
      rememberedAt = version;
    }
    const held = remembered.get(key);
    if (held !== undefined) return held.value;

    const value = await read(key);
    // Read under an older version, the answer must not outlive the change that came meanwhile.
    if (version === rememberedAt) {
      if (remembered.size >= MOST_REMEMBERED) remembered.clear();
      remembered.set(key, { value });
    }
    return value;
  };
};
