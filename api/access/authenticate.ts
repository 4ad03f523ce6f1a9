import type { Scope } from '../../domain/api-key/events.ts';
import { type ApiKey, keyFold } from '../../domain/api-key/state.ts';
import { stateAfter } from '../../domain/fold.ts';
import { keyStream } from '../../domain/stream-names.ts';
import type { BearerToken } from '../http/bearer-token.ts';
import type { AppPorts } from '../ports/app-ports.ts';
import { createVersionedCache } from '../process/remember.ts';
import { type AllowsAddress, createAllowsAddress } from './address-ranges.ts';

/** Sender of a request: a live key of a practice. */
export interface Caller {
  readonly keyId: string;
  readonly practiceId: string;
  readonly kind: 'native' | 'partner';
  /** Partner of a partner feed key; `null` for a native key. */
  readonly partnerId: string | null;
  readonly scopes: readonly Scope[];
}

/** Valid key and the addresses that may use it. */
export interface LiveKey {
  readonly caller: Caller;
  /** `null` if all addresses may. */
  readonly allows: AllowsAddress | null;
}

/** Key that is not revoked, but may have ended. */
interface HeldKey extends LiveKey {
  readonly endsAt: number;
}

/** Key of a token; `null` for a missing, unknown or revoked one. */
export type FindLiveKey = (token: BearerToken | null) => Promise<LiveKey | null>;

/**
 * Finds keys in the log itself: the token's hash names the key's stream, so a change applies
 * immediately, even if the read tables are behind. While the log is unavailable, uses the last
 * stored copy.
 * @param accessVersion counter incremented by every change to a key; rejects if it is unknown
 * @see spec "Authentication"
 */
export const createFindLiveKey = (
  { readLogOrKept, tokens, now }: Pick<AppPorts, 'readLogOrKept' | 'tokens' | 'now'>,
  accessVersion: () => Promise<bigint>,
): FindLiveKey => {
  const keyBehind = createVersionedCache(
    accessVersion,
    async (tokenHash): Promise<HeldKey | null> => {
      const stored = await readLogOrKept(keyStream(tokens.deriveKeyId(tokenHash)));
      const key = stateAfter(stored, keyFold);
      const isTheirs = key.status === 'live' && key.tokenHash === tokenHash;
      if (!isTheirs) return null;
      const endsAt = key.endsAt === null ? Number.POSITIVE_INFINITY : Date.parse(key.endsAt);
      return { caller: toCaller(key), allows: createAllowsAddress(key.addresses), endsAt };
    },
  );
  return async (token) => {
    if (token === null || !tokens.looksLikeApiToken(token.text)) return null;
    const key = await keyBehind(token.hash);
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
