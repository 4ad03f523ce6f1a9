import { Router } from 'express';
import { addressBucketOf, rateLimiter, WINDOW_MS } from '../http/rate-limiter.ts';
import type { Registry } from '../registry/registry.ts';
import { witnessWith } from '../registry/witness-checkpoint.ts';
import { logRouter } from '../transparency-log/log-router.ts';
import { witnessRouter } from '../transparency-log/witness-router.ts';
import { seatsOrStaff } from '../web/seats.ts';
import type { Stores } from './stores.ts';

/** Of one address: enough to fetch the tiles of ten million events within an hour. */
export const LOG_READS_PER_MINUTE = 1_200;

/**
 * What of the log needs no session: signing as a witness, and the tree where it is for everybody.
 * @param stores of the keys that this registry signs with
 */
export const openLogOf = (
  registry: Registry,
  stores: Pick<Stores, 'db' | 'secret'>,
  isLogPublic: boolean,
): Router => {
  const { limiterStore, meters, log, now } = registry;
  const limit = rateLimiter({
    store: limiterStore('log', WINDOW_MS),
    limit: LOG_READS_PER_MINUTE,
    windowMs: WINDOW_MS,
    bucketOf: addressBucketOf,
    onRefused: () => meters.refused('log'),
  });
  const opened = isLogPublic ? '/log' : '/log/witness';
  return Router()
    .use(opened, limit)
    .use(witnessRouter(witnessWith({ ...stores, log }, now)))
    .use(isLogPublic ? logRouter(registry, null) : Router());
};

/** The tree of the log for those who may read records, and for the staff. */
export const guardedLogOf = (registry: Registry): Router =>
  logRouter(registry, seatsOrStaff('Admin', 'Provider', 'Viewer'));
