export interface FingerprintKey {
  /** 1 is the identity key, the only one until a rotation. */
  readonly version: number;
  /**
   * ISO 8601. From then on, everything in the queue has also been hashed with this key, so records no longer
   * need fingerprints under the previous key.
   */
  readonly aloneFrom: string;
  readonly hash: (practiceId: string, text: string) => string;
}

export interface FingerprintKeys {
  /** Records have a fingerprint under each of these. */
  readonly current: readonly FingerprintKey[];
  /** Lookups also use each of these. */
  readonly older: readonly FingerprintKey[];
}

/** Earlier keys remain while the queue may contain items that were hashed without their successor. */
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

export const findFirstFingerprintKey = (hash: FingerprintKey['hash']): FingerprintKey => ({
  version: 1,
  aloneFrom: '',
  hash,
});
