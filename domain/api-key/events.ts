import type { Fact } from '../event-log.ts';

/** What an API key may do. @see spec "Authentication" */
export type Scope = 'ingest:write' | 'ingest:read';

/** Every scope there is. */
export const SCOPES: readonly Scope[] = ['ingest:write', 'ingest:read'];

/** A key was made. The raw token is nowhere: only its SHA-256 is kept. */
export type ApiKeyMinted = Fact<
  'ApiKeyMinted',
  {
    readonly keyId: string;
    readonly practiceId: string;
    /** Native keys store identified records, partner feed keys a masked spine. */
    readonly kind: 'native' | 'partner';
    readonly partnerId: string | null;
    readonly name: string | null;
    readonly scopes: readonly Scope[];
    /** SHA-256 of the raw token, base64url. */
    readonly tokenHash: string;
    /** End of the raw token, to tell keys apart by; keys of version 0.1 have none. */
    readonly lastFour?: string;
    /** Addresses and networks (CIDR) that it may be used from; left out: any. */
    readonly addresses?: readonly string[];
  }
>;

/** A key was revoked; it never works again. */
export type ApiKeyRevoked = Fact<'ApiKeyRevoked', { readonly keyId: string }>;

/** A key works until then; a later one of these goes before an earlier one. */
export type ApiKeyEndSet = Fact<
  'ApiKeyEndSet',
  {
    readonly keyId: string;
    /** ISO 8601 instant. */
    readonly endsAt: string;
  }
>;

/** From now on a key may be used from these addresses; a later one of these goes before an earlier one. */
export type ApiKeyAddressesSet = Fact<
  'ApiKeyAddressesSet',
  {
    readonly keyId: string;
    /** Addresses and networks (CIDR); empty: any. */
    readonly addresses: readonly string[];
  }
>;

/** Events of a `key-` stream. */
export type ApiKeyEvent = ApiKeyMinted | ApiKeyRevoked | ApiKeyEndSet | ApiKeyAddressesSet;
