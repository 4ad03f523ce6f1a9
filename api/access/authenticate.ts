import type { Scope } from '../../domain/api-key/events.ts';
import { type ApiKey, keyFold } from '../../domain/api-key/state.ts';
import type { ReadStream } from '../../domain/event-log.ts';
import { stateAfter } from '../../domain/fold.ts';
import { keyStream } from '../../domain/stream-names.ts';
import { rememberUnder } from './remember.ts';

/** Who sent a request: a live key of a practice. */
export interface Caller {
  readonly keyId: string;
  readonly practiceId: string;
  readonly kind: 'native' | 'partner';
  /** The partner of a partner feed key; null with a native key. */
  readonly partnerId: string | null;
  readonly scopes: readonly Scope[];
}

/** The caller behind a raw token; null for a missing, unknown or revoked one. */
export type Authenticate = (token: string | null) => Promise<Caller | null>;

/** What authentication works with. */
export interface AuthenticateParts {
  readonly readStream: ReadStream;
  readonly looksLikeApiToken: (text: string) => boolean;
  readonly hashApiToken: (token: string) => string;
  readonly keyIdOf: (tokenHash: string) => string;
  /** Counter that goes up with every change to a key; fails when it cannot be known. */
  readonly accessVersion: () => Promise<bigint>;
}

/**
 * Authenticates by the log itself: the token's hash names the key's stream, so a change is in
 * force at once, also while the read tables are behind.
 * @see spec "Authentication"
 */
export const authenticateWith = (parts: AuthenticateParts): Authenticate => {
  const callerBehind = rememberUnder(parts.accessVersion, async (tokenHash) => {
    const stored = await parts.readStream(keyStream(parts.keyIdOf(tokenHash)));
    const key = stateAfter(stored, keyFold);
    return key.status === 'live' && key.tokenHash === tokenHash ? callerOf(key) : null;
  });
  return async (token) =>
    token === null || !parts.looksLikeApiToken(token)
      ? null
      : callerBehind(parts.hashApiToken(token));
};

const callerOf = (key: Exclude<ApiKey, { status: 'unknown' }>): Caller => ({
  keyId: key.keyId,
  practiceId: key.practiceId,
  kind: key.kind,
  partnerId: key.partnerId,
  scopes: key.scopes,
});
