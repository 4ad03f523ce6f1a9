import type { ApiKeyEvent, Scope } from '../../domain/api-key/events.ts';
import { type ApiKey, evolve, unknownKey } from '../../domain/api-key/state.ts';
import type { ReadStream } from '../../domain/event-log.ts';
import { keyStream } from '../../domain/stream-names.ts';

/** Who sent a request: a live key of a practice. */
export interface Caller {
  readonly keyId: string;
  readonly practiceId: string;
  readonly kind: 'native' | 'partner';
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

const MOST_CACHED = 10_000;

/**
 * Authenticates by the log itself: the token's hash names the key's stream, so a change is in
 * force at once, also while the read tables are behind.
 * @see spec "Authentication"
 */
export const authenticateWith = (parts: AuthenticateParts): Authenticate => {
  let cachedAt = -1n;
  const cache = new Map<string, Caller | null>();

  return async (token) => {
    if (token === null || !parts.looksLikeApiToken(token)) return null;
    const version = await parts.accessVersion();
    if (version !== cachedAt) {
      cache.clear();
      cachedAt = version;
    }
    const tokenHash = parts.hashApiToken(token);
    const cached = cache.get(tokenHash);
    if (cached !== undefined) return cached;

    const stored = await parts.readStream(keyStream(parts.keyIdOf(tokenHash)));
    const key = stored.reduce<ApiKey>(
      (state, { event }) => evolve(state, event as ApiKeyEvent),
      unknownKey,
    );
    const caller =
      key.status === 'live' && key.tokenHash === tokenHash
        ? { keyId: key.keyId, practiceId: key.practiceId, kind: key.kind, scopes: key.scopes }
        : null;
    // Read under an older version, the answer must not outlive the change that came meanwhile.
    if (version === cachedAt) {
      if (cache.size >= MOST_CACHED) cache.clear();
      cache.set(tokenHash, caller);
    }
    return caller;
  };
};
