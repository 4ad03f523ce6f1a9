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

/** The identity key was wrapped anew, by another `REGISTRY_SECRET`; the key itself is the same. */
export type IdentityKeyRewrapped = Fact<
  'IdentityKeyRewrapped',
  { readonly registryId: string; readonly wrappedIdentityKey: string }
>;

/** Events of the `registry` stream. */
export type RegistryStreamEvent = RegistryInitialised | IdentityKeyRewrapped;
