import { defineEvents, type InferEvent } from '../define-events.ts';
import { array, count, type Infer, instant, object, ordinal, pattern, text } from '../schema.ts';

/** A revision, which may exceed a JSON number. */
const decimal = pattern('^\\d{1,19}$');

const origin = pattern('^[^\\s+]+$');

/** Key version wrapped by the new `REGISTRY_SECRET`. */
const rewrappedKey = object({ version: ordinal, wrappedKey: text });

/** Events of a stream that the log has lost, by their revisions. */
export type LostEvents = Infer<typeof lostEvents>;

const lostEvents = object({
  stream: text,
  /** Revision of the first one. */
  from: decimal,
  /** Revision of the last one. */
  to: decimal,
});

/** Events of the `registry` stream. */
export const REGISTRY_EVENTS = defineEvents('registry', {
  /**
   * First event of a log. The identity key derives stream names and fingerprints. It is wrapped by
   * `REGISTRY_SECRET` (base64url); the wrapping can change, the key never does.
   */
  RegistryInitialised: object({
    registryId: text,
    wrappedIdentityKey: text,
    /** Keyed hash of a constant, to detect a wrong identity key. */
    checkValue: text,
  }),

  /** Every key of the stream was rewrapped by a new `REGISTRY_SECRET`; the keys are unchanged. */
  IdentityKeyRewrapped: object(
    { registryId: text, wrappedIdentityKey: text },
    {
      /** Absent if the only fingerprint key was the identity key. */
      wrappedFingerprintKeys: array(rewrappedKey),
      /** Absent if there was none. */
      wrappedCheckpointKeys: array(rewrappedKey),
    },
  ),

  /**
   * A new key for later fingerprints. Version 1 is the identity key, which stream names and ids
   * continue to use.
   */
  FingerprintKeyAdded: object({
    registryId: text,
    /** Starts at 2 and increases by one. */
    version: ordinal,
    /** Wrapped by `REGISTRY_SECRET`, base64url. */
    wrappedKey: text,
    /** Keyed hash of a constant, to detect a wrong key. */
    checkValue: text,
    /** Until then, records also have fingerprints under the previous key. */
    aloneFrom: instant,
  }),

  /** A new key for signing later checkpoints of the log. @see C2SP tlog-checkpoint */
  CheckpointKeyAdded: object({
    registryId: text,
    /** Starts at 1 and increases. */
    version: ordinal,
    /** Origin of the checkpoints and name of the key. */
    name: origin,
    /** Ed25519, base64. */
    publicKey: pattern('^[A-Za-z0-9+/]{43}=$'),
    /** Seed of the key (RFC 8032), wrapped by `REGISTRY_SECRET`, base64url. */
    wrappedKey: text,
  }),

  /** An operator knows of events that another program wrote to streams of ours. */
  ForeignEventsAcknowledged: object({
    registryId: text,
    streams: array(
      object({
        /** Its name, shortened. */
        stream: text,
        /** Events up to this one are acknowledged. */
        revision: decimal,
      }),
    ),
  }),

  /**
   * An operator accepts that the log no longer extends its last checkpoint. Later checkpoints have a new origin, and
   * are signed with the same key under its name.
   */
  LogLossAccepted: object({
    registryId: text,
    /** Of the later checkpoints; also the name of their key. */
    origin,
    /** From 2. */
    originNumber: ordinal,
    /** Events in the last checkpoint of the former origin. */
    signedSize: count,
    /** Events in the last one that the log still extends; 0 if there is none. */
    keptSize: count,
  }),

  /** An operator accepts that events within streams are lost for good. */
  StreamLossAccepted: object({ registryId: text, streams: array(lostEvents) }),
});

type Events = typeof REGISTRY_EVENTS;
export type RegistryStreamEvent<Type extends keyof Events = keyof Events> = InferEvent<
  Events,
  Type
>;
