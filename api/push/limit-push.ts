import type { Request, RequestHandler } from 'express';
import { readBearerToken } from '../http/bearer-token.ts';
import type { ClientAddress } from '../http/client-address.ts';
import { createFailedAuthThrottle, createFailedAuthWait } from '../http/failed-auth-throttle.ts';
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
 * Limits requests per key, and all others per address. Tokens are checked first, so that an
 * invented one does not create a row. After too many of those, an address must wait, except with a
 * recent token.
 * @see spec "Limits"
 */
export const createPushLimit = (
  { limiterStore, meters }: Pick<App, 'limiterStore' | 'meters'>,
  { authenticate }: Pick<PushAccess, 'authenticate'>,
  recentTokens: RecentTokens,
  getAddress: ClientAddress,
  limit: number,
): PushLimits => {
  const failedAuth = createFailedAuthThrottle(limit, WINDOW_MS);
  const onRefused = () => meters.refused('push-lane');
  const isKnown = (req: Request): boolean => {
    const token = readBearerToken(req);
    return token !== null && recentTokens.has(token, () => getAddress(req));
  };
  const store = limiterStore('push-lane', WINDOW_MS);
  const createLimiter = (getBucket: RateLimiterOptions['getBucket']): RequestHandler =>
    rateLimiter({ store, limit, windowMs: WINDOW_MS, getBucket, onRefused });
  return {
    all: [
      createFailedAuthWait(failedAuth, isKnown, limit, onRefused),
      createLimiter(async (req, res) => {
        const token = readBearerToken(req);
        const sender = await authenticate(req);
        res.locals['sender'] = sender;
        // A key used from a disallowed address counts against that address, not against the owner's limit.
        if (token !== null && sender.kind === 'caller') return getTokenBucket(token);
        failedAuth.failed(req);
        return getAddressBucket(req);
      }),
    ],
    forRecentTokens: createLimiter((req) => {
      const token = readBearerToken(req);
      return token === null ? getAddressBucket(req) : getTokenBucket(token);
    }) as LimitRequest,
  };
};

/**
 * Separate, because FHIR clients request the CapabilityStatement without a key, and must not use up
 * an address's failures or a key's requests.
 */
export const createMetadataLimit = (
  { limiterStore, meters }: Pick<App, 'limiterStore' | 'meters'>,
  limit: number,
): RequestHandler =>
  rateLimiter({
    store: limiterStore('metadata', WINDOW_MS),
    limit,
    windowMs: WINDOW_MS,
    getBucket: getAddressBucket,
    onRefused: () => meters.refused('metadata'),
  });

/** The limits share one counter. */
export interface PushLimits {
  /** Run in order, before all others of the lane; leave the sender in `res.locals`. */
  readonly all: readonly RequestHandler[];
  readonly forRecentTokens: LimitRequest;
}
