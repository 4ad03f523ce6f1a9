import type { Scope } from '../../domain/api-key/events.ts';
import { type ApiKey, keyFold } from '../../domain/api-key/state.ts';
import { stateAfter } from '../../domain/fold.ts';
import { keyStream } from '../../domain/stream-names.ts';
import type { AppPorts } from '../ports/app-ports.ts';
import { createVersionedCache } from '../process/remember.ts';
import { type AllowsAddress, createAllowsAddress } from './address-ranges.ts';

/** Who sent a request: a live key of a practice. */
export interface Caller {
  readonly keyId: string;
  readonly practiceId: string;
  readonly kind: 'native' | 'partner';
  /** The partner of a partner feed key; null with a native key. */
  readonly partnerId: string | null;
  readonly scopes: readonly Scope[];
}

/** A key that works, and from where it may be used. */
export interface LiveKey {
  readonly caller: Caller;
  /** Null: from everywhere. */
  readonly allows: AllowsAddress | null;
}

/** A key that is not revoked; it may have ended. */
interface HeldKey extends LiveKey {
  readonly endsAt: number;
}

/** The key behind a raw token; null for a missing, unknown or revoked one. */
export type FindLiveKey = (token: string | null) => Promise<LiveKey | null>;

/**
 * Finds keys by the log itself: the token's hash names the key's stream, so a change is in
 * force at once, also while the read tables are behind. While the log is away, a key is as last read.
 * @param accessVersion counter that goes up with every change to a key; fails when it cannot be known
 * @see spec "Authentication"
 */
export const createFindLiveKey = (
  { readLogOrKept, tokens, now }: Pick<AppPorts, 'readLogOrKept' | 'tokens' | 'now'>,
  accessVersion: () => Promise<bigint>,
): FindLiveKey => {
  const keyBehind = createVersionedCache(
    accessVersion,
    async (tokenHash): Promise<HeldKey | null> => {
      const stored = await readLogOrKept(keyStream(tokens.keyIdOf(tokenHash)));
      const key = stateAfter(stored, keyFold);
      const isTheirs = key.status === 'live' && key.tokenHash === tokenHash;
      if (!isTheirs) return null;
      const endsAt = key.endsAt === null ? Number.POSITIVE_INFINITY : Date.parse(key.endsAt);
      return { caller: toCaller(key), allows: createAllowsAddress(key.addresses), endsAt };
    },
  );
  return async (token) => {
    if (token === null || !tokens.looksLikeApiToken(token)) return null;
    const key = await keyBehind(tokens.hashApiToken(token));
    return key !== null && now().getTime() < key.endsAt ? key : null;
  };
};

const toCaller = (key: Exclude<ApiKey, { status: 'unknown' }>): Caller => ({
  keyId: key.keyId,
  practiceId: key.practiceId,
  kind: key.kind,
  partnerId: key.partnerId,
  scopes: key.scopes,
});
