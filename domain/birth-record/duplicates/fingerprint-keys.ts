/** A key under which fingerprint texts are hashed. */
export interface FingerprintKey {
  /** 1 is the identity key, the only one of a registry whose keys were never rotated. */
  readonly version: number;
  /**
   * ISO 8601. From then on whatever still waits to be recorded was hashed under this key too, so that
   * records need no fingerprint under the key before it.
   */
  readonly aloneFrom: string;
  /** Keyed hash of a fingerprint text within a practice. */
  readonly hash: (practiceId: string, text: string) => string;
}

/** Fingerprint keys in use at a moment. */
export interface FingerprintKeys {
  /** Records hold their fingerprints under each of these. */
  readonly current: readonly FingerprintKey[];
  /** Records are also looked for under each of these. */
  readonly older: readonly FingerprintKey[];
}

/**
 * Lists the keys in use at a moment: the newest, and each earlier one for as long as something
 * may wait that was hashed without its successor.
 * @param keys all that the registry has, in the order of their versions
 * @param at ISO 8601, in UTC
 */
export const listFingerprintKeys = (
  keys: readonly FingerprintKey[],
  at: string,
): FingerprintKeys => {
  const isCurrent = (_key: FingerprintKey, index: number): boolean => {
    const successor = keys[index + 1];
    return successor === undefined || at < successor.aloneFrom;
  };
  return {
    current: keys.filter(isCurrent),
    older: keys.filter((key, index) => !isCurrent(key, index)),
  };
};

/** The first key. @param hash under the identity key */
export const findFirstFingerprintKey = (hash: FingerprintKey['hash']): FingerprintKey => ({
  version: 1,
  aloneFrom: '',
  hash,
});
