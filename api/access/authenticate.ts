import type { Scope } from '../../domain/api-key/events.ts';
import { type ApiKey, keyFold } from '../../domain/api-key/state.ts';
import { stateAfter } from '../../domain/fold.ts';
import { keyStream } from '../../domain/stream-names.ts';
import type { BearerToken } from '../http/bearer-token.ts';
import type { AppPorts } from '../ports/app-ports.ts';
import { createVersionedCache } from '../process/remember.ts';
import { type AllowsAddress, createAllowsAddress } from './address-ranges.ts';

export interface Caller {
  readonly keyId: string;
  readonly practiceId: string;
  readonly kind: 'native' | 'partner';
  /** `null` for a native key. */
  readonly partnerId: string | null;
  readonly scopes: readonly Scope[];
}

export interface LiveKey {
  readonly caller: Caller;
  /** `null` if all addresses may. */
  readonly allows: AllowsAddress | null;
}

interface CachedKey extends LiveKey {
  readonly endsAt: number;
}

/** `null` for a missing, unknown or revoked token. */
export type FindLiveKey = (token: BearerToken | null) => Promise<LiveKey | null>;

/**
 * Reads the log itself, so a change applies immediately; while it is unavailable, the stored copy.
 * @param accessVersion counter of changes to keys; rejects if it is unknown
 * @see spec "Authentication"
 */
export const createFindLiveKey = (
  { readLogOrCache, tokens, now }: Pick<AppPorts, 'readLogOrCache' | 'tokens' | 'now'>,
  accessVersion: () => Promise<bigint>,
): FindLiveKey => {
  const loadKey = createVersionedCache(
    accessVersion,
    async (tokenHash): Promise<CachedKey | null> => {
      const stored = await readLogOrCache(keyStream(tokens.deriveKeyId(tokenHash)));
      const key = stateAfter(stored, keyFold);
      const isTheirs = key.status === 'live' && key.tokenHash === tokenHash;
      if (!isTheirs) return null;
      const endsAt = key.endsAt === null ? Number.POSITIVE_INFINITY : Date.parse(key.endsAt);
      return { caller: toCaller(key), allows: createAllowsAddress(key.addresses), endsAt };
    },
  );
  return async (token) => {
    if (token === null || !tokens.looksLikeApiToken(token.text)) return null;
    const key = await loadKey(token.hash);
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
