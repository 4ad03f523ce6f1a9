import { type RequestHandler, Router } from 'express';
import { identityProvidersOf } from '../../adapters/oidc/identity-providers.ts';
import { addressBucketOf, rateLimiter, WINDOW_MS } from '../http/rate-limiter.ts';
import type { FindOffers } from '../pages/sign-in/sign-in-router.tsx';
import type { Registry } from '../registry/registry.ts';
import { type SignInProviders, singleSignOnPage } from '../single-sign-on/sign-in-providers.ts';
import { isLoopback, type Settings } from './settings.ts';

/** A begun sign-in leaves nothing; as many from one address as launches. */
const BEGUN_PER_MINUTE = 60;
/** All people of a provider come from one address: at the end of a shift they sign out together. */
const LOGOUTS_PER_MINUTE = 300;

/** Stand before everything of single sign-on, the session included. */
export const limitSingleSignOnOf = ({ limiterStore, meters }: Registry): Router => {
  const limiterOf = (name: 'sso-begin' | 'sso-logout', limit: number): RequestHandler =>
    rateLimiter({
      store: limiterStore(name, WINDOW_MS),
      limit,
      windowMs: WINDOW_MS,
      bucketOf: addressBucketOf,
      onRefused: () => meters.refused(name),
    });
  const [begin, logout] = [
    limiterOf('sso-begin', BEGUN_PER_MINUTE),
    limiterOf('sso-logout', LOGOUTS_PER_MINUTE),
  ];
  return Router().use('/sign-in/sso', (req, res, next) => {
    // What comes back from a provider has limits of its own.
    if (/\/callback\/?$/.test(req.path)) next();
    else (req.method === 'POST' ? logout : begin)(req, res, next);
  });
};

/** The identity providers at which people sign in: that of the service. */
export const signInProvidersOf = ({ oidc, baseUrl }: Settings): SignInProviders => ({
  ask: identityProvidersOf(isLoopback(new URL(baseUrl).hostname)),
  async find(practiceId) {
    if (practiceId !== null || oidc === null) return null;
    return { ...oidc, practiceId, redirectUri: `${baseUrl}/sign-in/sso/callback` };
  },
});

/** What the sign-in page offers beside the password. */
export const signInOffersOf =
  ({ find }: SignInProviders): FindOffers =>
  async () => {
    const provider = await find(null);
    if (provider === null) return [];
    const { host } = new URL(provider.issuer);
    return [{ href: singleSignOnPage(null), text: 'Sign in with single sign-on', host }];
  };
