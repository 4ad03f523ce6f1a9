import { Router } from 'express';
import { EHR_LIMITS } from '../../adapters/egress/limits.ts';
import { createDiscoverEhr } from '../../adapters/smart/discover.ts';
import { discoverOnce } from '../../adapters/smart/discover-once.ts';
import { createExchangeCode, createLaunchSecrets } from '../../adapters/smart/exchange-code.ts';
import { createPullChart } from '../../adapters/smart/pull-chart.ts';
import { getAddressBucket, rateLimiter, WINDOW_MS } from '../http/rate-limiter.ts';
import type { App } from '../ports/app-ports.ts';
import type { Settings } from '../settings/settings.ts';
import { smartRouter } from '../smart/smart-router.ts';

/** spec "Limits": 10 requests per minute per source IP on `/smart/callback`. */
export const CALLBACKS_PER_MINUTE = 10;

/** A busy hospital can need this many from one address. */
export const LAUNCHES_PER_MINUTE = 60;

/** Runs before the session. */
export const createSmartLimit = ({ limiterStore, meters }: App): Router => {
  const limiterOf = (name: 'smart-launch' | 'smart-callback', limit: number) =>
    rateLimiter({
      store: limiterStore(name, WINDOW_MS),
      limit,
      windowMs: WINDOW_MS,
      getBucket: getAddressBucket,
      onRefused: () => meters.refused(name),
    });
  return Router()
    .use('/smart/launch', limiterOf('smart-launch', LAUNCHES_PER_MINUTE))
    .use('/smart/callback', limiterOf('smart-callback', CALLBACKS_PER_MINUTE));
};

export const createSmartRoutes = (app: App, settings: Settings): Router => {
  const { smartClientId: clientId, smartAllowedIssuers: allowedIssuers, baseUrl } = settings;
  const redirectUri = `${baseUrl}/smart/callback`;
  return smartRouter(app, {
    clientId,
    allowedIssuers,
    redirectUri,
    discover: discoverOnce(createDiscoverEhr(EHR_LIMITS)),
    newSecrets: createLaunchSecrets,
    exchange: createExchangeCode({ clientId: clientId ?? '', redirectUri }, EHR_LIMITS),
    pull: createPullChart(EHR_LIMITS),
  });
};
