import { Router } from 'express';
import { EHR_LIMITS } from '../../adapters/egress/limits.ts';
import { discoverWith } from '../../adapters/smart/discover.ts';
import { discoverOnce } from '../../adapters/smart/discover-once.ts';
import { exchangeCodeWith, newLaunchSecrets } from '../../adapters/smart/exchange-code.ts';
import { pullChartWith } from '../../adapters/smart/pull-chart.ts';
import { addressBucketOf, rateLimiter, WINDOW_MS } from '../http/rate-limiter.ts';
import type { Registry } from '../ports/app-ports.ts';
import type { Settings } from '../settings/settings.ts';
import { smartRouter } from '../smart/smart-router.ts';

/** spec "Limits": 10 requests per minute per source IP on `/smart/callback`. */
export const CALLBACKS_PER_MINUTE = 10;

/** A launch leaves a session and what it waits for: 60 in a minute from one address are a busy hospital. */
export const LAUNCHES_PER_MINUTE = 60;

/** Stand before everything of the launch and the callback, the session included. */
export const limitSmartOf = ({ limiterStore, meters }: Registry): Router => {
  const limiterOf = (name: 'smart-launch' | 'smart-callback', limit: number) =>
    rateLimiter({
      store: limiterStore(name, WINDOW_MS),
      limit,
      windowMs: WINDOW_MS,
      bucketOf: addressBucketOf,
      onRefused: () => meters.refused(name),
    });
  return Router()
    .use('/smart/launch', limiterOf('smart-launch', LAUNCHES_PER_MINUTE))
    .use('/smart/callback', limiterOf('smart-callback', CALLBACKS_PER_MINUTE));
};

/** Launches from an EHR, with what asks the EHRs. */
export const smartLaneOf = (registry: Registry, settings: Settings): Router => {
  const { smartClientId: clientId, smartAllowedIssuers: allowedIssuers, baseUrl } = settings;
  const redirectUri = `${baseUrl}/smart/callback`;
  return smartRouter(registry, {
    clientId,
    allowedIssuers,
    redirectUri,
    discover: discoverOnce(discoverWith(EHR_LIMITS)),
    newSecrets: newLaunchSecrets,
    exchange: exchangeCodeWith({ clientId: clientId ?? '', redirectUri }, EHR_LIMITS),
    pull: pullChartWith(EHR_LIMITS),
  });
};
