import type { Fact } from '../event-log.ts';

/** @see spec "Authentication" */
export type Scope = 'ingest:write' | 'ingest:read';

export const SCOPES: readonly Scope[] = ['ingest:write', 'ingest:read'];

/** A key was minted. The raw token is never stored, only its SHA-256. */
export type ApiKeyMinted = Fact<
  'ApiKeyMinted',
  {
    readonly keyId: string;
    readonly practiceId: string;
    /** Native keys store identified records; partner feed keys store masked ones. */
    readonly kind: 'native' | 'partner';
    readonly partnerId: string | null;
    readonly name: string | null;
    readonly scopes: readonly Scope[];
    /** SHA-256 of the raw token, base64url. */
    readonly tokenHash: string;
    /**
     * Last four characters of the raw token, to identify the key in lists; absent in keys from version 0.1.
     */
    readonly lastFour?: string;
    /** Addresses and networks (CIDR) it may be used from; absent means any. */
    readonly addresses?: readonly string[];
  }
>;

/** A key was revoked; it never works again. */
export type ApiKeyRevoked = Fact<'ApiKeyRevoked', { readonly keyId: string }>;

/** The expiry of a key was set; the latest event wins. */
export type ApiKeyEndSet = Fact<
  'ApiKeyEndSet',
  {
    readonly keyId: string;
    /** ISO 8601 instant. */
    readonly endsAt: string;
  }
>;

/** The allowed addresses of a key were set; the latest event wins. */
export type ApiKeyAddressesSet = Fact<
  'ApiKeyAddressesSet',
  {
    readonly keyId: string;
    /** Addresses and networks (CIDR); empty means any. */
    readonly addresses: readonly string[];
  }
>;

/** Events of a `key-` stream. */
export type ApiKeyEvent = ApiKeyMinted | ApiKeyRevoked | ApiKeyEndSet | ApiKeyAddressesSet;
