import {
  type RateLimitStore,
  rateLimitStoreOf,
} from '../../adapters/postgres/access/rate-limit-store.ts';
import type { LimiterName } from '../health/counts.ts';
import type { SharedParts } from './parts.ts';

/** The store of a limiter, with the requests that it could not count made known. */
export const limiterStoreOf = (
  { stores, meters }: Pick<SharedParts, 'stores' | 'meters'>,
  name: LimiterName,
  windowMs: number,
): RateLimitStore => {
  const store = rateLimitStoreOf(stores.hotDb, name, windowMs);
  return {
    ...store,
    async increment(key) {
      try {
        return await store.increment(key);
      } catch (error) {
        meters.uncounted(name);
        throw error;
      }
    },
  };
};
