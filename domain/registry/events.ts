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

/** A version of a key as the other `REGISTRY_SECRET` wraps it. */
interface RewrappedKey {
  readonly version: number;
  readonly wrappedKey: string;
}

/**
 * The identity key, and with it every other key of the stream, was wrapped anew by another
 * `REGISTRY_SECRET`; the keys themselves are the same.
 */
export type IdentityKeyRewrapped = Fact<
  'IdentityKeyRewrapped',
  {
    readonly registryId: string;
    readonly wrappedIdentityKey: string;
    /** Absent: there was none but the identity key. */
    readonly wrappedFingerprintKeys?: readonly RewrappedKey[];
    /** Absent: there was none. */
    readonly wrappedCheckpointKeys?: readonly RewrappedKey[];
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

/** Checkpoints of the log are signed with another key from now on. @see C2SP tlog-checkpoint */
export type CheckpointKeyAdded = Fact<
  'CheckpointKeyAdded',
  {
    readonly registryId: string;
    /** From 1; each is more than the one before. */
    readonly version: number;
    /** The origin of the checkpoints, and the name of their key. */
    readonly name: string;
    /** Ed25519, base64. */
    readonly publicKey: string;
    /** The seed of the key (RFC 8032), wrapped by `REGISTRY_SECRET`, base64url. */
    readonly wrappedKey: string;
  }
>;

/** Events of the `registry` stream. */
export type RegistryStreamEvent =
  | RegistryInitialised
  | IdentityKeyRewrapped
  | FingerprintKeyAdded
  | CheckpointKeyAdded;
