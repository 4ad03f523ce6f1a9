import type { Scope } from '../../domain/api-key/events.ts';
import { type ApiKey, keyFold } from '../../domain/api-key/state.ts';
import { stateAfter } from '../../domain/fold.ts';
import { keyStream } from '../../domain/stream-names.ts';
import type { BoundRegistry } from '../registry/registry.ts';
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

/**
 * Authenticates by the log itself: the token's hash names the key's stream, so a change is in
 * force at once, also while the read tables are behind.
 * @param accessVersion counter that goes up with every change to a key; fails when it cannot be known
 * @see spec "Authentication"
 */
export const authenticateWith = (
  { log, tokens }: Pick<BoundRegistry, 'log' | 'tokens'>,
  accessVersion: () => Promise<bigint>,
): Authenticate => {
  const callerBehind = rememberUnder(accessVersion, async (tokenHash) => {
    const stored = await log.readStream(keyStream(tokens.keyIdOf(tokenHash)));
    const key = stateAfter(stored, keyFold);
    return key.status === 'live' && key.tokenHash === tokenHash ? callerOf(key) : null;
  });
  return async (token) =>
    token === null || !tokens.looksLikeApiToken(token)
      ? null
      : callerBehind(tokens.hashApiToken(token));
};

const callerOf = (key: Exclude<ApiKey, { status: 'unknown' }>): Caller => ({
  keyId: key.keyId,
  practiceId: key.practiceId,
  kind: key.kind,
  partnerId: key.partnerId,
  scopes: key.scopes,
});
