import type { Fact } from '../event-log.ts';

/**
 * The first event of a log. The identity key names streams and fingerprints; it is wrapped by
 * `REGISTRY_SECRET` (base64url) and never changes, the wrapping may.
 */
export type RegistryInitialised = Fact<
  'RegistryInitialised',
  {
    readonly registryId: string;
    readonly wrappedIdentityKey: string;
    /** Keyed hash of a constant: tells a wrong identity key from a right one. */
    readonly checkValue: string;
  }
>;

/** A fingerprint key as the other `REGISTRY_SECRET` wraps it. */
interface RewrappedFingerprintKey {
  readonly version: number;
  readonly wrappedKey: string;
}

/**
 * The identity key, and with it every fingerprint key, was wrapped anew by another
 * `REGISTRY_SECRET`; the keys themselves are the same.
 */
export type IdentityKeyRewrapped = Fact<
  'IdentityKeyRewrapped',
  {
    readonly registryId: string;
    readonly wrappedIdentityKey: string;
    /** Absent: there was none but the identity key. */
    readonly wrappedFingerprintKeys?: readonly RewrappedFingerprintKey[];
  }
>;

/**
 * Fingerprints are hashed under another key from now on. The first version is the identity key;
 * names of streams and ids stay under that one.
 */
export type FingerprintKeyAdded = Fact<
  'FingerprintKeyAdded',
  {
    readonly registryId: string;
    /** From 2; each is one more than the one before. */
    readonly version: number;
    /** Wrapped by `REGISTRY_SECRET`, base64url. */
    readonly wrappedKey: string;
    /** Tells a wrong key from a right one. */
    readonly checkValue: string;
    /** ISO 8601; until then records hold their fingerprints under the key before it too. */
    readonly aloneFrom: string;
  }
>;

/** Events of the `registry` stream. */
export type RegistryStreamEvent = RegistryInitialised | IdentityKeyRewrapped | FingerprintKeyAdded;
