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
  }
>;

/** A key was revoked; it never works again. */
export type ApiKeyRevoked = Fact<'ApiKeyRevoked', { readonly keyId: string }>;

/** Events of a `key-` stream. */
export type ApiKeyEvent = ApiKeyMinted | ApiKeyRevoked;
