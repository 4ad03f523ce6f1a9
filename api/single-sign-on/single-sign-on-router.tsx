import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, Response, Router } from 'express';
import type { SingleSignOnRefusal } from '../../domain/access-log/events.ts';
import { findSecondFactorTime } from '../../domain/account/single-sign-on/decide.ts';
import type { ProviderClaims } from '../../domain/account/single-sign-on/ports.ts';
import { MAX_CLOCK_DIFFERENCE_MS } from '../../domain/stated-time.ts';
import { toPerson } from '../access/person.ts';
import type { FindSignedIn, SignedIn } from '../access/signed-in.ts';
import { noteSingleSignOnRefused } from '../access-log/access-notes.ts';
import { getAddressBucket } from '../http/rate-limiter.ts';
import { finishSignIn } from '../pages/accounts/sign-in/finish-sign-in.ts';
import { beginSecondStep } from '../pages/accounts/sign-in/second-step-router.tsx';
import { getHomePath } from '../pages/layout/navigation.ts';
import type { PageView } from '../pages/layout/page.tsx';
import { createRouter, page, type Redirect, redirect } from '../pages/layout/routes.tsx';
import { CONFIRM_AT_PROVIDER } from '../pages/second-factor/step-up.tsx';
import { formatWait } from '../pages/text/format-times.ts';
import type { App } from '../ports/app-ports.ts';
import { readQueryText } from '../web/form-body.ts';
import { getAccount, requireAccount } from '../web/guards/seats.ts';
import { readNextPage } from '../web/next-page.ts';
import { pageNotFound } from '../web/page-problem.ts';
import { checkToken, getCsrfToken } from '../web/session/csrf.ts';
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

  const begin = async (req: Request, res: Response, practiceId: string | null) => {
    const who = getSignedIn(res);
    return who === null
      ? goToProvider(req, res, await requireProvider(practiceId), false)
      : redirect(readNextPage(readQueryText(req, 'next')) ?? getHomePath(who));
  };

  const beginAgain = async (req: Request, res: Response) => {
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
  ): Promise<PageView | Redirect> => {
    const { practiceId } = provider;
    const next = readNextPage(readQueryText(req, 'next'));
    if (isSentByAnotherSite(req)) return buildContinuation(req, provider.issuer);
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
    if (found.kind === 'failure')
      throw signInRefused('provider-trouble', undefined, found.failure.cause);
    return redirect(found.value);
  };

  const finish = async (
    req: Request,
    res: Response,
    practiceId: string | null,
  ): Promise<Redirect> => {
    // A HEAD request would also use up a code.
    if (req.method !== 'GET') throw pageNotFound();
    const query = parseQuery(req);
    const [state = '', ...more] = query.getAll('state');
    const flow = more.length > 0 ? null : await flows.open(state);
    const who = getSignedIn(res);
    // The person went back, or another tab was faster.
    if (who !== null && flow?.isAgain !== true) return redirect(flow?.next ?? getHomePath(who));
    if (
      flow === null ||
      flow.practiceId !== practiceId ||
      checkToken(req, res, flow.formToken) !== 'sender' ||
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
      case 'failure':
        return refuse(res, provider, 'provider-trouble', { cause: signedIn.cause });
      case 'signed-in': {
        if (who === null) rememberPractice(res, practiceId, isSecure);
        const reply = await (who === null
          ? letIn(req, res, provider, flow, signedIn.claims)
          : confirm(req, res, provider, who, flow, signedIn.claims));
        await failures.decrement(address);
        return reply;
      }
    }
  };

  const confirm = async (
    req: Request,
    res: Response,
    provider: SignInProvider,
    who: SignedIn,
    { next, begunAt }: SignInFlow,
    { issuer, subject, authenticatedAt }: ProviderClaims,
  ): Promise<Redirect> => {
    const accountId = toPerson(who).id;
    const begun = req.session.provider;
    if (issuer !== begun?.issuer || subject !== begun.subject)
      return refuse(res, provider, 'another-person', { accountId, text: SOMEBODY_ELSE });
    // A provider that does not say when may not have asked the person at all.
    if (authenticatedAt === null || authenticatedAt.getTime() < begunAt - MAX_CLOCK_DIFFERENCE_MS)
      return refuse(res, provider, 'wrong-token', { accountId, text: NOT_CONFIRMED });
    req.session.confirmedAt = now().getTime();
    return redirect(next ?? getHomePath(who));
  };

  const letIn = async (
    req: Request,
    res: Response,
    provider: SignInProvider,
    { next, generation: before }: SignInFlow,
    claims: ProviderClaims,
  ): Promise<Redirect> => {
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
    if (hasFactor && factorAt === null) return beginSecondStep(req, credentials, now());
    const factor =
      hasFactor && factorAt !== null ? { kind: 'provider' as const, at: factorAt } : null;
    return finishSignIn(app, req, res, who, credentials, factor);
  };

  return createRouter(
    page('/sign-in/sso', [], (req, res) => begin(req, res, null)),
    page(CONFIRM_AT_PROVIDER, requireAccount, beginAgain),
    page('/sign-in/sso/callback', [], (req, res) => finish(req, res, null)),
    page('/sign-in/sso/:practice', [], (req, res) => begin(req, res, readPractice(req))),
    page('/sign-in/sso/:practice/callback', [], (req, res) => finish(req, res, readPractice(req))),
  );
};

const readPractice = (req: Request): string => String(req.params['practice']);

/**
 * Asks first: otherwise another site could send the browser here and sign in a person with an open
 * session at the provider against their will.
 */
const buildContinuation = (req: Request, issuer: string): PageView => {
  const { host } = new URL(issuer);
  return {
    title: 'Sign in with single sign-on',
    children: (
      <>
        <p>You will sign in at {host}.</p>
        <p>
          <a class="usa-button" href={req.originalUrl}>
            Continue to {host}
          </a>
        </p>
        <p>
          <a href="/sign-in">Sign in another way</a>
        </p>
      </>
    ),
  };
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
