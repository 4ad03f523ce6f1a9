import type { Request, Response, Router } from 'express';
import { normalizeEmail } from '../../../../domain/account/credentials.ts';
import type { FindSignedIn, SignedIn } from '../../../access/signed-in.ts';
import {
  noteHeldBack,
  noteRefusedCredential,
  noteSignOut,
} from '../../../access-log/access-notes.ts';
import { getAddressBucket } from '../../../http/rate-limiter.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText, readQueryText } from '../../../web/form-body.ts';
import { getPasswordPage } from '../../../web/guards/own-password.ts';
import { readNextPage } from '../../../web/next-page.ts';
import { TOO_MANY_TITLE } from '../../../web/page-problem.ts';
import { hasCsrfToken } from '../../../web/session/csrf.ts';
import {
  continueWithoutSession,
  endSession,
  getSignedIn,
  renewSession,
} from '../../../web/session/signed-in-session.ts';
import { type FieldError, toFieldError } from '../../layout/field-errors.ts';
import { Form } from '../../layout/form.tsx';
import { getHomePath } from '../../layout/navigation.ts';
import type { PageView } from '../../layout/page.tsx';
import { backToForm, createRouter, page, post, redirect } from '../../layout/routes.tsx';
import { TextField } from '../../layout/text-field.tsx';
import { formatWait } from '../../text/format-times.ts';
import { createCredentialCheck } from './check-credentials.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { beginSecondStep } from './second-step-router.tsx';
import { type CountedAttempt, createAttemptCounter } from './sign-in-throttle.ts';

// Also for an unknown account, so as not to reveal which accounts exist.
const WRONG: readonly FieldError[] = [
  {
    field: 'email',
    id: 'wrong-credentials',
    message: 'The email or password is not correct. Check both and try again.',
  },
];

const ANOTHER_TAB: readonly FieldError[] = [
  {
    field: 'password',
    id: 'another-tab',
    message:
      'This page was open too long, or you signed in from another tab. Enter your password again.',
  },
];

export interface SignInOffer {
  /** Start address, without the page to open afterwards. */
  readonly href: string;
  readonly text: string;
  readonly host: string;
}

export type FindOffers = (req: Request) => Promise<readonly SignInOffer[]>;

export const signInRouter = (
  app: App,
  findSignedIn: FindSignedIn,
  findOffers: FindOffers,
): Router => {
  const checkCredentials = createCredentialCheck(app, findSignedIn);
  const countAttempt = createAttemptCounter(app);

  const loadForm = async (
    req: Request,
    next: string | null,
    status: number,
    errors: readonly FieldError[],
  ): Promise<PageView> => ({
    title: 'Sign in',
    status,
    errors,
    children: (
      <SignInForm email={readFormText(req, 'email')} next={next} offers={await findOffers(req)} />
    ),
  });

  return createRouter(
    page('/', [], (_req, res) => {
      const who = getSignedIn(res);
      return redirect(who === null ? '/sign-in' : getHomePath(who));
    }),
    page('/sign-in', [], (req, res) => {
      const who = getSignedIn(res);
      const next = readNextPage(readQueryText(req, 'next'));
      return who === null ? loadForm(req, next, 200, []) : redirect(next ?? getHomePath(who));
    }),
    post('/sign-in', [], async (req, res) => {
      const next = readNextPage(readFormText(req, 'next'));
      const email = normalizeEmail(readFormText(req, 'email'));
      const password = readFormText(req, 'password');
      if (!hasCsrfToken(req, res)) {
        // Another site sent the form, or another tab has started a session since.
        const who = getSignedIn(res);
        if (who === null) return loadForm(req, next, 403, ANOTHER_TAB);
        return email === who.email ? redirect(next ?? getHomePath(who)) : buildOtherTabPage(who);
      }
      const missing = checkCredentialFields(req);
      if (missing.length > 0) return loadForm(req, next, 422, missing);
      const accountId = app.identity.accountId(email);
      const attempt = await countAttempt(req, accountId);
      for (const by of attempt.justExceeded) await noteHeldBack(app, res, accountId, by);
      if (attempt.waitMs !== null) return buildTooManyAttemptsPage(res, attempt.waitMs, attempt);
      const { isKnownAddress } = attempt;
      const address = getAddressBucket(req);
      const credentials = await attempt.check(() =>
        checkCredentials({ accountId, password, address, isKnownAddress }),
      );
      switch (credentials.kind) {
        case 'wrong':
          await app.passwords.countFailure(accountId);
          await noteRefusedCredential(app, res, accountId, 'sign-in');
          return loadForm(req, next, 401, WRONG);
        case 'expired':
          return loadForm(req, next, 401, [toFieldError('password', { code: 'password-ended' })]);
        case 'invitation': {
          const { practiceId } = credentials;
          await attempt.succeed();
          await renewSession(req);
          req.session.invitation = { accountId, email, practiceId };
          return redirect(getPasswordPage(next));
        }
        case 'account': {
          const { who, generation, isOneTime, failures } = credentials;
          const failedSince = credentials.failedSince?.getTime() ?? null;
          const verified = { accountId, generation, isOneTime, failures, failedSince, next };
          await attempt.succeed();
          return (await app.secondFactors.find(accountId)).kinds.length === 0
            ? finishSignIn(app, req, res, who, verified, null)
            : beginSecondStep(req, verified, app.now());
        }
      }
    }),
    backToForm('/sign-out', [], '/'),
    post('/sign-out', [], async (req, res) => {
      const who = getSignedIn(res);
      continueWithoutSession(res);
      await endSession(req, res);
      if (who !== null) await noteSignOut(app, res, who);
      return redirect('/sign-in');
    }),
  );
};

const buildOtherTabPage = (who: SignedIn): PageView => ({
  title: 'You are already signed in',
  status: 403,
  children: (
    <>
      <p data-message="other-tab">
        You are signed in as {who.email} in another tab of this browser. To use a different account,
        sign out first.
      </p>
      <p>
        <a href={getHomePath(who)}>Continue as {who.email}</a>
      </p>
    </>
  ),
});

const checkCredentialFields = (req: Request): readonly FieldError[] => [
  ...(readFormText(req, 'email').trim() === ''
    ? [{ field: 'email', id: 'no-email', message: 'Enter the email of your account.' }]
    : []),
  ...(readFormText(req, 'password') === ''
    ? [{ field: 'password', id: 'no-password', message: 'Enter your password.' }]
    : []),
];

const buildTooManyAttemptsPage = (
  res: Response,
  waitMs: number,
  { isBlockedFromUnknownAddresses }: CountedAttempt,
): PageView => {
  res.set('Retry-After', String(Math.ceil(waitMs / 1000)));
  return {
    title: TOO_MANY_TITLE,
    status: 429,
    children: (
      <>
        <p data-message="wait">
          There were too many attempts for this account or from your network. Wait{' '}
          {formatWait(waitMs)}, then try again. Nothing stays locked longer than that.
        </p>
        {isBlockedFromUnknownAddresses && (
          <p data-message="many-places">
            The attempts came from many places. If this is your account, you can still sign in from
            a place where you signed in recently, such as your practice.
          </p>
        )}
        <p>
          <a href="/sign-in">Back to sign in</a>
        </p>
      </>
    ),
  };
};

const SignInForm = ({
  email,
  next,
  offers,
}: {
  readonly email: string;
  /** Page to open afterwards; `null` for the start page of the account. */
  readonly next: string | null;
  readonly offers: readonly SignInOffer[];
}) => (
  <>
    <Form action="/sign-in" class="sign-in" values={{ email }}>
      {next !== null && <input type="hidden" name="next" value={next} />}
      <TextField
        name="email"
        label="Email"
        type="email"
        inputMode="email"
        autocomplete="username"
      />
      <TextField name="password" label="Password" type="password" autocomplete="current-password" />
      <button type="submit" class="usa-button">
        Sign in
      </button>
    </Form>
    {offers.map(({ href, text, host }) => (
      // A link, because the content security policy does not allow forms to redirect to other
      // sites.
      <div class="margin-top-3">
        <a
          class="usa-button usa-button--outline"
          href={next === null ? href : `${href}?next=${encodeURIComponent(next)}`}
        >
          {text}
        </a>
        <p class="quiet margin-top-1" data-message="provider">
          You’ll sign in at {host} and return here.
        </p>
      </div>
    ))}
    <p class="quiet margin-top-3">Forgot your password? Ask your practice’s Admin for a new one.</p>
  </>
);
