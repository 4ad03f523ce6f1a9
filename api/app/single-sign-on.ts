import { type RequestHandler, Router } from 'express';
import { createIdentityProviders } from '../../adapters/oidc/identity-providers.ts';
import { stateAfter } from '../../domain/fold.ts';
import { practiceFold } from '../../domain/practice/state.ts';
import { practiceStream } from '../../domain/stream-names.ts';
import { isLoopback } from '../http/loopback.ts';
import { getAddressBucket, rateLimiter, WINDOW_MS } from '../http/rate-limiter.ts';
import type { FindOffers } from '../pages/accounts/sign-in/sign-in-router.tsx';
import type { App } from '../ports/app-ports.ts';
import type { Settings } from '../settings/settings.ts';
import { readRememberedPractice } from '../single-sign-on/remembered-practice.ts';
import {
  buildSingleSignOnPage,
  type SignInProvider,
  type SignInProviders,
} from '../web/sign-in-providers.ts';

/** Equal to the limit of launches per address; an unfinished sign-in stores nothing. */
const BEGUN_PER_MINUTE = 60;
/** All logouts of a provider come from one address, many of them at the end of a shift. */
const LOGOUTS_PER_MINUTE = 300;

/** Runs before the session. */
export const createSingleSignOnLimit = ({ limiterStore, meters }: App): Router => {
  const createLimiter = (name: 'sso-begin' | 'sso-logout', limit: number): RequestHandler =>
    rateLimiter({
      store: limiterStore(name, WINDOW_MS),
      limit,
      windowMs: WINDOW_MS,
      getBucket: getAddressBucket,
      onRefused: () => meters.refused(name),
    });
  const [begin, logout] = [
    createLimiter('sso-begin', BEGUN_PER_MINUTE),
    createLimiter('sso-logout', LOGOUTS_PER_MINUTE),
  ];
  return Router().use('/sign-in/sso', (req, res, next) => {
    // Callbacks from a provider have their own limits.
    if (/\/callback\/?$/.test(req.path)) next();
    else (req.method === 'POST' ? logout : begin)(req, res, next);
  });
};

export const createSignInProviders = (
  { log, singleSignOn }: App,
  { oidc, baseUrl }: Settings,
): SignInProviders => {
  const findOfPractice = async (practiceId: string): Promise<SignInProvider | null> => {
    // Fast lookup first, because anyone may call this.
    const credentials = await singleSignOn.secretOf(practiceId);
    if (credentials === null) return null;
    const practice = stateAfter(await log.readStream(practiceStream(practiceId)), practiceFold);
    const set = practice.status === 'known' ? practice.singleSignOn : null;
    // A secret is only sent to the provider it was entered for.
    if (set === null || set.issuer !== credentials.issuer || set.clientId !== credentials.clientId)
      return null;
    const { allowedDomains } = set;
    const redirectUri = `${baseUrl}${buildSingleSignOnPage(practiceId)}/callback`;
    return { ...credentials, practiceId, allowedDomains, redirectUri };
  };
  return {
    ask: createIdentityProviders(isLoopback(new URL(baseUrl).hostname)),
    async find(practiceId) {
      if (practiceId !== null) return findOfPractice(practiceId);
      if (oidc === null) return null;
      return {
        ...oidc,
        practiceId,
        redirectUri: `${baseUrl}${buildSingleSignOnPage(null)}/callback`,
      };
    },
  };
};

export const createFindOffers =
  ({ find }: SignInProviders, isSecure: boolean): FindOffers =>
  async (req) => {
    const remembered = readRememberedPractice(req, isSecure);
    const [ofPractice, ofService] = await Promise.all([
      remembered === null ? null : find(remembered),
      find(null),
    ]);
    const buildOffer = ({ practiceId, issuer }: SignInProvider, text: string) => ({
      href: buildSingleSignOnPage(practiceId),
      text,
      host: new URL(issuer).host,
    });
    return [
      ...(ofPractice === null
        ? []
        : [buildOffer(ofPractice, 'Sign in with your practice’s single sign-on')]),
      ...(ofService === null ? [] : [buildOffer(ofService, 'Sign in with single sign-on')]),
    ];
  };
