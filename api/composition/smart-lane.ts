import type { RequestHandler, Router } from 'express';
import { pendingLaunchesOf } from '../../adapters/postgres/short-lived/ehr-launches.ts';
import { keptPrefillsOf } from '../../adapters/postgres/short-lived/kept-prefills.ts';
import { discoverWith } from '../../adapters/smart/discover.ts';
import { exchangeCodeWith, newLaunchSecrets } from '../../adapters/smart/exchange-code.ts';
import { EHR_LIMITS } from '../../adapters/smart/limits.ts';
import { pullChartWith } from '../../adapters/smart/pull-chart.ts';
import { addressBucketOf, rateLimiter, WINDOW_MS } from '../http/rate-limiter.ts';
import { smartRouter } from '../smart/smart-router.ts';
import { limiterStoreOf } from './limiter-store.ts';
import type { SharedParts } from './parts.ts';

/** spec "Limits": 10 requests per minute per source IP on `/smart/callback`. */
export const CALLBACKS_PER_MINUTE = 10;

/** Stands before everything of the callback, the session included. */
export const limitCallbacksOf = (parts: SharedParts): RequestHandler =>
  rateLimiter({
    store: limiterStoreOf(parts, 'smart-callback', WINDOW_MS),
    limit: CALLBACKS_PER_MINUTE,
    windowMs: WINDOW_MS,
    bucketOf: addressBucketOf,
    onRefused: () => parts.meters.refused('smart-callback'),
  });

/** Wires launches from an EHR to the stores and to the EHRs. */
export const smartLaneOf = ({ settings, stores, cipher, now }: SharedParts): Router => {
  const { smartClientId: clientId, smartAllowedIssuers: allowedIssuers, baseUrl } = settings;
  const redirectUri = `${baseUrl}/smart/callback`;
  return smartRouter({
    clientId,
    allowedIssuers,
    redirectUri,
    now,
    discover: discoverWith(EHR_LIMITS),
    newSecrets: newLaunchSecrets,
    exchange: exchangeCodeWith({ clientId: clientId ?? '', redirectUri }, EHR_LIMITS),
    pull: pullChartWith(EHR_LIMITS),
    launches: pendingLaunchesOf(stores.db, cipher),
    prefills: keptPrefillsOf(stores.db, cipher),
  });
};
