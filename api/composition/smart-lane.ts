import type { RequestHandler, Router } from 'express';
import { discoverWith } from '../../adapters/smart/discover.ts';
import { exchangeCodeWith, newLaunchSecrets } from '../../adapters/smart/exchange-code.ts';
import { EHR_LIMITS } from '../../adapters/smart/limits.ts';
import { pullChartWith } from '../../adapters/smart/pull-chart.ts';
import { addressBucketOf, rateLimiter, WINDOW_MS } from '../http/rate-limiter.ts';
import type { Registry } from '../registry/registry.ts';
import { smartRouter } from '../smart/smart-router.ts';
import type { Settings } from './settings.ts';

/** spec "Limits": 10 requests per minute per source IP on `/smart/callback`. */
export const CALLBACKS_PER_MINUTE = 10;

/** Stands before everything of the callback, the session included. */
export const limitCallbacksOf = ({ limiterStore, meters }: Registry): RequestHandler =>
  rateLimiter({
    store: limiterStore('smart-callback', WINDOW_MS),
    limit: CALLBACKS_PER_MINUTE,
    windowMs: WINDOW_MS,
    bucketOf: addressBucketOf,
    onRefused: () => meters.refused('smart-callback'),
  });

/** Launches from an EHR, with what asks the EHRs. */
export const smartLaneOf = (registry: Registry, settings: Settings): Router => {
  const { smartClientId: clientId, smartAllowedIssuers: allowedIssuers, baseUrl } = settings;
  const redirectUri = `${baseUrl}/smart/callback`;
  return smartRouter(registry, {
    clientId,
    allowedIssuers,
    redirectUri,
    discover: discoverWith(EHR_LIMITS),
    newSecrets: newLaunchSecrets,
    exchange: exchangeCodeWith({ clientId: clientId ?? '', redirectUri }, EHR_LIMITS),
    pull: pullChartWith(EHR_LIMITS),
  });
};
