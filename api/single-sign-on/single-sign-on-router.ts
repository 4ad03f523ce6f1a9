import { createHash, timingSafeEqual } from 'node:crypto';
import { type Request, type Response, Router } from 'express';
import type { SingleSignOnRefusal } from '../../domain/access-log/events.ts';
import { findSecondFactorTime } from '../../domain/account/single-sign-on/decide.ts';
import type { ProviderClaims } from '../../domain/account/single-sign-on/ports.ts';
import { MAX_CLOCK_DIFFERENCE_MS } from '../../domain/stated-time.ts';
import { toPerson } from '../access/person.ts';
import type { FindSignedIn, SignedIn } from '../access/signed-in.ts';
import { noteSingleSignOnRefused } from '../access-log/access-notes.ts';
import { getAddressBucket } from '../http/rate-limiter.ts';
import { finishSignIn } from '../pages/accounts/sign-in/finish-sign-in.ts';
import { sendContinueToProvider } from '../pages/accounts/sign-in/go-on-to-provider.tsx';
import { beginSecondStep } from '../pages/accounts/sign-in/second-step-router.tsx';
import { getHomePath } from '../pages/layout/navigation.ts';
import { CONFIRM_AT_PROVIDER } from '../pages/second-factor/step-up.tsx';
import { formatWait } from '../pages/text/format-times.ts';
import type { App } from '../ports/app-ports.ts';
import { readQueryText } from '../web/form-body.ts';
import { getAccount, requireAccount } from '../web/guards/seats.ts';
import { readNextPage } from '../web/next-page.ts';
import { pageNotFound } from '../web/page-problem.ts';
import { getCsrfToken, identifyOwner } from '../web/session/csrf.ts';
import { getSignedIn } from '../web/session/signed-in-session.ts';
import type { SignInProvider, SignInProviders } from '../web/sign-in-providers.ts';
import { createFlowStates, type SignInFlow } from './flow-state.ts';
import { createOpenAccount } from './open-account.ts';
import { rememberPractice } from './remembered-practice.ts';
import {
  NOT_CONFIRMED,
  noSingleSignOn,
  SOMEBODY_ELSE,
  signInRefused,
  tooManySignIns,
} from './sign-in-refused.ts';

const FAILURES_WINDOW_MS = 15 * 60_000;
/** The limit for passwords: each attempt costs a request to the provider and an entry in the access log. */
const MAX_FAILURES = 50;

/**
 * Public. Each practice has its own address: people do not enter an email first, so no response
 * reveals who has an account, and no practice can claim another's emails.
 */
export const singleSignOnRouter = (
  app: App,
  findSignedIn: FindSignedIn,
  providers: SignInProviders,
  isSecure: boolean,
): Router => {
  const { passwords, secondFactors, now, meters } = app;
  const flows = createFlowStates(app);
  const openAccount = createOpenAccount(app, findSignedIn, providers);
  const failures = app.limiterStore('sso-callback', FAILURES_WINDOW_MS);

  const refuse = async (
    res: Response,
    provider: SignInProvider,
    why: SingleSignOnRefusal,
    {
      accountId = null,
      ...details
    }: { accountId?: string | null; text?: string | undefined; cause?: unknown } = {},
  ): Promise<never> => {
    await noteSingleSignOnRefused(app, res, accountId, why, provider.practiceId);
    throw signInRefused(why, details.text, details.cause);
  };

  const requireProvider = async (practiceId: string | null): Promise<SignInProvider> => {
    const provider = await providers.find(practiceId);
    if (provider === null) throw noSingleSignOn();
    return provider;
  };

  const begin = async (req: Request, res: Response, practiceId: string | null): Promise<void> => {
    const who = getSignedIn(res);
    if (who === null) await goToProvider(req, res, await requireProvider(practiceId), false);
    else res.redirect(303, readNextPage(readQueryText(req, 'next')) ?? getHomePath(who));
  };

  const beginAgain = async (req: Request, res: Response): Promise<void> => {
    const who = getAccount(res);
    const ofPractice = who.kind === 'member' ? who.practiceId : null;
    for (const practiceId of new Set([ofPractice, null])) {
      const provider = await providers.find(practiceId);
      if (provider !== null && provider.issuer === req.session.provider?.issuer)
        return goToProvider(req, res, provider, true);
    }
    throw noSingleSignOn();
  };

  const goToProvider = async (
    req: Request,
    res: Response,
    provider: SignInProvider,
    isAgain: boolean,
  ): Promise<void> => {
    const { practiceId } = provider;
    const next = readNextPage(readQueryText(req, 'next'));
    if (isSentByAnotherSite(req)) {
      sendContinueToProvider(req, res, provider.issuer);
      return;
    }
    const secrets = providers.ask.newSecrets();
    const formToken = getCsrfToken(req, res);
    const generation = await passwords.generationNow();
    const state = flows.seal({
      practiceId,
      secrets,
      formToken,
      next,
      generation,
      isAgain,
      ...(isAgain && { sessionHash: hashSession(req).toString('hex') }),
    });
    const found = await providers.ask.signInAddress(provider, state, secrets, isAgain);
    if (found.kind === 'trouble')
      throw signInRefused('provider-trouble', undefined, found.trouble.cause);
    res.redirect(303, found.value);
  };

  const finish = async (req: Request, res: Response, practiceId: string | null): Promise<void> => {
    // A HEAD request would also use up a code.
    if (req.method !== 'GET') throw pageNotFound();
    const query = parseQuery(req);
    const [state = '', ...more] = query.getAll('state');
    const flow = more.length > 0 ? null : await flows.open(state);
    const who = getSignedIn(res);
    if (who !== null && flow?.isAgain !== true) {
      // The person went back, or another tab was faster.
      res.redirect(303, flow?.next ?? getHomePath(who));
      return;
    }
    if (
      flow === null ||
      flow.practiceId !== practiceId ||
      identifyOwner(req, res, flow.formToken) !== 'sender' ||
      !isOwnSession(flow, req)
    )
      throw signInRefused('unusable-answer');
    const address = getAddressBucket(req);
    const counted = await failures.increment(address);
    if (counted.totalHits > MAX_FAILURES) {
      meters.refused('sso-callback');
      const waitMs = Math.max(1, counted.resetTime.getTime() - now().getTime());
      throw tooManySignIns(waitMs, formatWait(waitMs));
    }
    const provider = await requireProvider(practiceId);
    const signedIn = await providers.ask.finish(provider, state, flow.secrets, query);
    switch (signedIn.kind) {
      case 'declined':
        return refuse(res, provider, 'declined');
      case 'unusable':
        return refuse(res, provider, 'unusable-answer');
      case 'wrong-token':
        if (who === null) return refuse(res, provider, 'wrong-token');
        return refuse(res, provider, 'wrong-token', {
          accountId: toPerson(who).id,
          text: NOT_CONFIRMED,
        });
      case 'trouble':
        return refuse(res, provider, 'provider-trouble', { cause: signedIn.cause });
      case 'signed-in':
        if (who === null) {
          rememberPractice(res, practiceId, isSecure);
          await letIn(req, res, provider, flow, signedIn.claims);
        } else await confirm(req, res, provider, who, flow, signedIn.claims);
        await failures.decrement(address);
    }
  };

  const confirm = async (
    req: Request,
    res: Response,
    provider: SignInProvider,
    who: SignedIn,
    { next, begunAt }: SignInFlow,
    { issuer, subject, authenticatedAt }: ProviderClaims,
  ): Promise<void> => {
    const accountId = toPerson(who).id;
    const begun = req.session.provider;
    if (issuer !== begun?.issuer || subject !== begun.subject)
      return refuse(res, provider, 'another-person', { accountId, text: SOMEBODY_ELSE });
    // A provider that does not say when may not have asked the person at all.
    if (authenticatedAt === null || authenticatedAt.getTime() < begunAt - MAX_CLOCK_DIFFERENCE_MS)
      return refuse(res, provider, 'wrong-token', { accountId, text: NOT_CONFIRMED });
    req.session.confirmedAt = now().getTime();
    res.redirect(303, next ?? getHomePath(who));
  };

  const letIn = async (
    req: Request,
    res: Response,
    provider: SignInProvider,
    { next, generation: before }: SignInFlow,
    claims: ProviderClaims,
  ): Promise<void> => {
    const opened = await openAccount(provider, claims, before);
    if (opened.kind === 'refused') return refuse(res, provider, opened.why, opened);
    const { accountId, generation, failures: failed, failedSince, who, hasJoined } = opened;
    const { issuer, subject, sid, issuedAt, authenticatedAt } = claims;
    const credentials = {
      accountId,
      generation,
      isOneTime: false,
      failures: failed,
      failedSince,
      next,
      provider: { issuer, subject, sid, issuedAt: issuedAt.getTime() },
      ...(authenticatedAt !== null && {
        confirmedAt: Math.min(authenticatedAt.getTime(), now().getTime()),
      }),
      ...(hasJoined && who.kind === 'member' ? { joined: who.practice.name } : {}),
    };
    const hasFactor = (await secondFactors.find(accountId)).kinds.length > 0;
    const factorAt = findSecondFactorTime(claims, now());
    // A second factor used at the provider counts, but an account also needs one here for step-up.
    if (hasFactor && factorAt === null) return beginSecondStep(req, res, credentials, now());
    const factor =
      hasFactor && factorAt !== null ? { kind: 'provider' as const, at: factorAt } : null;
    await finishSignIn(app, req, res, who, credentials, factor);
  };

  return Router()
    .get('/sign-in/sso', (req, res) => begin(req, res, null))
    .get(CONFIRM_AT_PROVIDER, requireAccount, beginAgain)
    .get('/sign-in/sso/callback', (req, res) => finish(req, res, null))
    .get('/sign-in/sso/:practice', (req, res) => begin(req, res, req.params.practice))
    .get('/sign-in/sso/:practice/callback', (req, res) => finish(req, res, req.params.practice));
};

/** Links of ours, typed addresses, and bookmarks are actions of the person. @see W3C Fetch Metadata */
const isSentByAnotherSite = (req: Request): boolean =>
  ['cross-site', 'same-site'].includes(req.get('Sec-Fetch-Site') ?? '');

/** The raw query: Express would join repeated parameters. */
const parseQuery = ({ originalUrl }: Request): URLSearchParams => {
  const start = originalUrl.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : originalUrl.slice(start + 1));
};

const hashSession = (req: Request): Buffer => createHash('sha256').update(req.sessionID).digest();

const isOwnSession = ({ isAgain, sessionHash = '' }: SignInFlow, req: Request): boolean => {
  if (isAgain !== true) return true;
  const [begun, own] = [Buffer.from(sessionHash, 'hex'), hashSession(req)];
  return begun.length === own.length && timingSafeEqual(begun, own);
};
