/** Key for hashing fingerprint texts. */
export interface FingerprintKey {
  /** 1 is the identity key, the only one until a rotation. */
  readonly version: number;
  /**
   * ISO 8601. From then on, everything in the queue has also been hashed with this key, so records no longer
   * need fingerprints under the previous key.
   */
  readonly aloneFrom: string;
  /** Returns the keyed hash of a fingerprint text within a practice. */
  readonly hash: (practiceId: string, text: string) => string;
}

/** Fingerprint keys in use at a given time. */
export interface FingerprintKeys {
  /** Records have a fingerprint under each of these. */
  readonly current: readonly FingerprintKey[];
  /** Lookups also use each of these. */
  readonly older: readonly FingerprintKey[];
}

/**
 * Lists the keys in use at a given time: the newest, and each earlier one while the queue may contain items
 * that were hashed without its successor.
 * @param keys all keys of the registry, ordered by version
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

/** Returns the first key. @param hash under the identity key */
export const findFirstFingerprintKey = (hash: FingerprintKey['hash']): FingerprintKey => ({
  version: 1,
  aloneFrom: '',
  hash,
});
