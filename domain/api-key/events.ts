import { defineEvents, type InferEvent } from '../define-events.ts';
import { array, instant, literal, nullable, object, text } from '../schema.ts';

/** @see spec "Authentication" */
export type Scope = 'ingest:write' | 'ingest:read';

export const SCOPES: readonly Scope[] = ['ingest:write', 'ingest:read'];

/** Native keys store identified records; partner feed keys store masked ones. */
export const keyKind = literal('native', 'partner');

export const keyProperties = {
  name: nullable(text),
  scopes: array(literal(...SCOPES)),
  /** SHA-256 of the raw token, base64url. */
  tokenHash: text,
};

export const optionalKeyProperties = {
  /**
   * Last four characters of the raw token, to identify the key in lists; absent in keys from version 0.1.
   */
  lastFour: text,
  /** Addresses and networks (CIDR) it may be used from; absent means any. */
  addresses: array(text),
};

/** Events of a `key-` stream. */
export const API_KEY_EVENTS = defineEvents('key', {
  /** A key was minted. The raw token is never stored, only its SHA-256. */
  ApiKeyMinted: object(
    { keyId: text, practiceId: text, kind: keyKind, partnerId: nullable(text), ...keyProperties },
    optionalKeyProperties,
  ),

  /** A key was revoked; it never works again. */
  ApiKeyRevoked: object({ keyId: text }),

  /** The expiry of a key was set; the latest event wins. */
  ApiKeyEndSet: object({ keyId: text, endsAt: instant }),

  /** The allowed addresses of a key were set; the latest event wins. */
  ApiKeyAddressesSet: object({
    keyId: text,
    /** Addresses and networks (CIDR); empty means any. */
    addresses: array(text),
  }),
});

type Events = typeof API_KEY_EVENTS;
export type ApiKeyEvent<Type extends keyof Events = keyof Events> = InferEvent<Events, Type>;
