import type { Fact } from '../event-log.ts';

/**
 * First event of a log. The identity key derives stream names and fingerprints. It is wrapped by
 * `REGISTRY_SECRET` (base64url); the wrapping can change, the key never does.
 */
export type RegistryInitialised = Fact<
  'RegistryInitialised',
  {
    readonly registryId: string;
    readonly wrappedIdentityKey: string;
    /** Keyed hash of a constant, to detect a wrong identity key. */
    readonly checkValue: string;
  }
>;

/** Key version wrapped by the new `REGISTRY_SECRET`. */
interface RewrappedKey {
  readonly version: number;
  readonly wrappedKey: string;
}

/** Every key of the stream was rewrapped by a new `REGISTRY_SECRET`; the keys are unchanged. */
export type IdentityKeyRewrapped = Fact<
  'IdentityKeyRewrapped',
  {
    readonly registryId: string;
    readonly wrappedIdentityKey: string;
    /** Absent if the only fingerprint key was the identity key. */
    readonly wrappedFingerprintKeys?: readonly RewrappedKey[];
    /** Absent if there was none. */
    readonly wrappedCheckpointKeys?: readonly RewrappedKey[];
  }
>;

/**
 * A new key for later fingerprints. Version 1 is the identity key, which stream names and ids
 * continue to use.
 */
export type FingerprintKeyAdded = Fact<
  'FingerprintKeyAdded',
  {
    readonly registryId: string;
    /** Starts at 2 and increases by one. */
    readonly version: number;
    /** Wrapped by `REGISTRY_SECRET`, base64url. */
    readonly wrappedKey: string;
    /** Keyed hash of a constant, to detect a wrong key. */
    readonly checkValue: string;
    /** ISO 8601; until then, records also have fingerprints under the previous key. */
    readonly aloneFrom: string;
  }
>;

/** A new key for signing later checkpoints of the log. @see C2SP tlog-checkpoint */
export type CheckpointKeyAdded = Fact<
  'CheckpointKeyAdded',
  {
    readonly registryId: string;
    /** Starts at 1 and increases. */
    readonly version: number;
    /** Origin of the checkpoints and name of the key. */
    readonly name: string;
    /** Ed25519, base64. */
    readonly publicKey: string;
    /** Seed of the key (RFC 8032), wrapped by `REGISTRY_SECRET`, base64url. */
    readonly wrappedKey: string;
  }
>;

/** An operator knows of events that another program wrote to streams of ours. */
export type ForeignEventsAcknowledged = Fact<
  'ForeignEventsAcknowledged',
  {
    readonly registryId: string;
    readonly streams: readonly {
      /** Its name, shortened. */
      readonly stream: string;
      /** Events up to this one are acknowledged; decimal. */
      readonly revision: string;
    }[];
  }
>;

/**
 * An operator accepts that the log no longer extends its last checkpoint. Later checkpoints have a new origin, and are
 * signed with the same key under its name.
 */
export type LogLossAccepted = Fact<
  'LogLossAccepted',
  {
    readonly registryId: string;
    /** Of the later checkpoints; also the name of their key. */
    readonly origin: string;
    /** From 2. */
    readonly originNumber: number;
    /** Events in the last checkpoint of the former origin. */
    readonly signedSize: number;
    /** Events in the last one that the log still extends; 0 if there is none. */
    readonly keptSize: number;
  }
>;

/** Events of a stream that the log has lost, by their revisions. */
export interface LostEvents {
  readonly stream: string;
  /** Revision of the first one; decimal. */
  readonly from: string;
  /** Revision of the last one; decimal. */
  readonly to: string;
}

/** An operator accepts that events within streams are lost for good. */
export type StreamLossAccepted = Fact<
  'StreamLossAccepted',
  { readonly registryId: string; readonly streams: readonly LostEvents[] }
>;

/** Events of the `registry` stream. */
export type RegistryStreamEvent =
  | RegistryInitialised
  | IdentityKeyRewrapped
  | FingerprintKeyAdded
  | CheckpointKeyAdded
  | ForeignEventsAcknowledged
  | LogLossAccepted
  | StreamLossAccepted;
