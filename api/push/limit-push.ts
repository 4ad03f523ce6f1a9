import type { Request, RequestHandler } from 'express';
import { bearerToken } from '../http/bearer-token.ts';
import type { ClientAddress } from '../http/client-address.ts';
import { createFailedAuthThrottle, failedAuthWait } from '../http/failed-auth-throttle.ts';
import {
  getAddressBucket,
  getTokenBucket,
  type RateLimiterOptions,
  rateLimiter,
  WINDOW_MS,
} from '../http/rate-limiter.ts';
import type { App } from '../ports/app-ports.ts';
import type { PushAccess } from './push-access.ts';
import type { LimitRequest } from './push-fast-path.ts';
import type { RecentTokens } from './recent-tokens.ts';

/**
 * Counts the requests of the push lane: those of a key by its token, all others by their address. Whether a
 * token is one of a key is asked first, so that an invented one leaves no row; an address that has invented too
 * many is not asked about any more, unless the token has worked in this process before.
 * @see spec "Limits"
 */
export const createPushLimit = (
  { limiterStore, meters }: Pick<App, 'limiterStore' | 'meters'>,
  { senderOf }: Pick<PushAccess, 'senderOf'>,
  known: RecentTokens,
  addressOf: ClientAddress,
  limit: number,
): PushLimits => {
  const failedAuth = createFailedAuthThrottle(limit, WINDOW_MS);
  const onRefused = () => meters.refused('push-lane');
  const isKnown = (req: Request): boolean => {
    const token = bearerToken(req);
    return token !== null && known.has(token, () => addressOf(req));
  };
  const store = limiterStore('push-lane', WINDOW_MS);
  const limiterBy = (bucketOf: RateLimiterOptions['bucketOf']): RequestHandler =>
    rateLimiter({ store, limit, windowMs: WINDOW_MS, bucketOf, onRefused });
  return {
    all: [
      failedAuthWait(failedAuth, isKnown, limit, onRefused),
      limiterBy(async (req) => {
        const token = bearerToken(req);
        // A request from a wrong address counts against that address: it must not use up the owner's rate limit.
        if (token !== null && (await senderOf(req)).kind === 'caller') return getTokenBucket(token);
        failedAuth.failed(req);
        return getAddressBucket(req);
      }),
    ],
    ofKnown: limiterBy((req) => getTokenBucket(bearerToken(req) ?? '')) as LimitRequest,
  };
};

/**
 * Counts who asks for the CapabilityStatement by their address: FHIR clients ask without a key, and one that asks too
 * often must not use up what its address may fail, nor the requests of a key.
 */
export const createMetadataLimit = (
  { limiterStore, meters }: Pick<App, 'limiterStore' | 'meters'>,
  limit: number,
): RequestHandler =>
  rateLimiter({
    store: limiterStore('metadata', WINDOW_MS),
    limit,
    windowMs: WINDOW_MS,
    bucketOf: getAddressBucket,
    onRefused: () => meters.refused('metadata'),
  });

/** The limits of the push lane: one count behind both. */
export interface PushLimits {
  /** Before everything of the lane, in their order. */
  readonly all: readonly RequestHandler[];
  /** For requests with a known token, without anything of Express. */
  readonly ofKnown: LimitRequest;
}
