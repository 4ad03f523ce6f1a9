import { type Request, type Response, Router } from 'express';
import { normalizeEmail } from '../../../../domain/account/credentials.ts';
import type { FindSignedIn } from '../../../access/signed-in.ts';
import {
  noteHeldBack,
  noteRefusedPassword,
  noteSignOut,
} from '../../../access-log/access-notes.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText, readQueryText } from '../../../web/form-body.ts';
import { getPasswordPage } from '../../../web/guards/own-password.ts';
import { readNextPage } from '../../../web/next-page.ts';
import { redirectGet } from '../../../web/redirect-get.ts';
import { hasCsrfToken } from '../../../web/session/csrf.ts';
import {
  endSession,
  finishAfterSignOut,
  getSignedIn,
  renewSession,
} from '../../../web/session/signed-in-session.ts';
import { ErrorSummary } from '../../layout/error-summary.tsx';
import { type FieldError, toFieldError } from '../../layout/field-errors.ts';
import { Form } from '../../layout/form.tsx';
import { getHomePath } from '../../layout/navigation.ts';
import { sendPage } from '../../layout/send-page.tsx';
import { createCredentialCheck } from './check-credentials.ts';
import { CredentialFields } from './credential-fields.tsx';
import { finishSignIn } from './finish-sign-in.ts';
import { beginSecondStep } from './second-step-router.tsx';
import { type CountedAttempt, createAttemptCounter, formatWait } from './sign-in-throttle.ts';

// Also for an unknown account, so as not to reveal which accounts exist.
const WRONG: readonly FieldError[] = [
  {
    field: 'email',
    id: 'wrong-credentials',
    message: 'The email or the password is not right. Check both, then try again.',
  },
];

const ENDED: readonly FieldError[] = [toFieldError('password', { code: 'password-ended' })];

/** Error if another tab has replaced the session of this form. */
export const ANOTHER_TAB: readonly FieldError[] = [
  {
    field: 'password',
    id: 'another-tab',
    message:
      'This page was open for too long, or another tab has taken its place. Enter your password once more.',
  },
];

export const NO_EMAIL = 'Enter the email of your account.';

export const NO_PASSWORD = 'Enter your password.';

/**
 * Another account is already signed in.
 * @param email of that account
 */
export const describeOtherTab = (email: string): string =>
  `You are signed in as ${email} in this browser, in another tab. To sign in with another account, sign out first.`;

/**
 * Too many attempts.
 * @param waitMs time until the next attempt
 */
export const describeWait = (waitMs: number): string =>
  `This account, or the place you are signing in from, has been tried too often. Wait ${formatWait(waitMs)}, then try again: nothing is locked for longer.`;

/** Names the host that single sign-on redirects to. */
export const describeProvider = (host: string): string =>
  `You sign in at ${host} and come back here.`;

/** Attempts came from many unknown places, so the account blocks unknown places temporarily. */
export const TOO_MANY_ATTEMPTS =
  'The tries came from many places. Where its owner has signed in during the last weeks, the account still opens: sign in from there, such as from the network of your practice.';

/** Alternative way to sign in. */
export interface SignInOffer {
  /** Start address, without the page to open afterwards. */
  readonly href: string;
  readonly text: string;
  /** Host of the identity provider. */
  readonly host: string;
}

/** Finds the alternatives for a browser. */
export type FindOffers = (req: Request) => Promise<readonly SignInOffer[]>;

export const signInRouter = (
  registry: App,
  findSignedIn: FindSignedIn,
  findOffers: FindOffers,
): Router => {
  const sendForm = createSendForm(findOffers);
  const checkCredentials = createCredentialCheck(registry, findSignedIn);
  const countTry = createAttemptCounter(registry);

  return Router()
    .get('/', (_req, res) => {
      const who = getSignedIn(res);
      res.redirect(303, who === null ? '/sign-in' : getHomePath(who));
    })
    .get('/sign-in', async (req, res) => {
      const who = getSignedIn(res);
      const next = readNextPage(readQueryText(req, 'next'));
      if (who !== null) res.redirect(303, next ?? getHomePath(who));
      else await sendForm(req, res, next, [], 200);
    })
    .post('/sign-in', async (req, res) => {
      const next = readNextPage(readFormText(req, 'next'));
      if (!hasCsrfToken(req)) {
        await answerOtherTab(sendForm, req, res, next);
        return;
      }
      const password = readFormText(req, 'password');
      const missing = checkCredentialFields(req);
      if (missing.length > 0) {
        await sendForm(req, res, next, missing, 422);
        return;
      }
      const email = normalizeEmail(readFormText(req, 'email'));
      const accountId = registry.identity.accountId(email);
      const counted = await countTry(req, accountId);
      for (const by of counted.justReached) await noteHeldBack(registry, res, accountId, by);
      if (counted.waitMs !== null) {
        refuseTemporarily(req, res, counted.waitMs, counted);
        return;
      }
      const { isKnownPlace } = counted;
      const checked = await checkCredentials({ accountId, password, isKnownPlace });
      switch (checked.kind) {
        case 'wrong':
          await registry.passwords.countFailure(accountId);
          await noteRefusedPassword(registry, res, accountId, 'sign-in');
          await sendForm(req, res, next, WRONG, 401);
          return;
        case 'ended':
          await sendForm(req, res, next, ENDED, 401);
          return;
        case 'invitation': {
          const { practiceId } = checked;
          await counted.succeed();
          await renewSession(req);
          req.session.invitation = { accountId, email, practiceId };
          res.redirect(303, getPasswordPage(next));
          return;
        }
        case 'account': {
          const { who, generation, isOneTime, failures } = checked;
          const failedSince = checked.failedSince?.getTime() ?? null;
          const shown = { accountId, generation, isOneTime, failures, failedSince, next };
          await counted.succeed();
          if ((await registry.secondFactors.find(accountId)).kinds.length === 0) {
            await finishSignIn(registry, req, res, who, shown, null);
            return;
          }
          await beginSecondStep(req, res, shown, registry.now());
        }
      }
    })
    .get('/sign-out', redirectGet('/'))
    .post('/sign-out', async (req, res) => {
      const who = getSignedIn(res);
      finishAfterSignOut(res);
      await endSession(req, res);
      if (who !== null) await noteSignOut(registry, res, who);
      res.redirect(303, '/sign-in');
    });
};

/** Refuses the sign-in: another site sent the form, or another tab has started a session since. */
const answerOtherTab = async (
  sendForm: SendForm,
  req: Request,
  res: Response,
  next: string | null,
): Promise<void> => {
  const who = getSignedIn(res);
  if (who === null) return sendForm(req, res, next, ANOTHER_TAB, 403);
  if (normalizeEmail(readFormText(req, 'email')) === who.email) {
    res.redirect(303, next ?? getHomePath(who));
    return;
  }
  const children = (
    <>
      <p>{describeOtherTab(who.email)}</p>
      <p>
        <a href={getHomePath(who)}>Go on as {who.email}</a>
      </p>
    </>
  );
  sendPage(req, res, { title: 'Someone is signed in', children }, 403);
};

const checkCredentialFields = (req: Request): readonly FieldError[] => [
  ...(readFormText(req, 'email').trim() === ''
    ? [{ field: 'email', id: 'no-email', message: NO_EMAIL }]
    : []),
  ...(readFormText(req, 'password') === ''
    ? [{ field: 'password', id: 'no-password', message: NO_PASSWORD }]
    : []),
];

type SendForm = (
  req: Request,
  res: Response,
  next: string | null,
  errors: readonly FieldError[],
  status: number,
) => Promise<void>;

const createSendForm =
  (findOffers: FindOffers): SendForm =>
  async (req, res, next, errors, status) => {
    const email = readFormText(req, 'email');
    const isRefused = errors.length > 0;
    const offers = await findOffers(req);
    const children = <SignInForm email={email} errors={errors} next={next} offers={offers} />;
    sendPage(req, res, { title: 'Sign in', hasErrors: isRefused, children }, status);
  };

const refuseTemporarily = (
  req: Request,
  res: Response,
  waitMs: number,
  { isByStrangers }: CountedAttempt,
): void => {
  res.set('Retry-After', String(Math.ceil(waitMs / 1000)));
  const children = (
    <>
      <p>{describeWait(waitMs)}</p>
      {isByStrangers && <p>{TOO_MANY_ATTEMPTS}</p>}
      <p>
        <a href="/sign-in">Back to the sign-in</a>
      </p>
    </>
  );
  sendPage(req, res, { title: 'Too many tries', children }, 429);
};

interface SignInProps {
  readonly email: string;
  readonly errors: readonly FieldError[];
  /** Page to open afterwards; `null` for the start page of the account. */
  readonly next: string | null;
  readonly offers: readonly SignInOffer[];
}

const SignInForm = ({ email, errors, next, offers }: SignInProps) => (
  <>
    <ErrorSummary errors={errors} />
    <Form action="/sign-in" class="sign-in">
      {next !== null && <input type="hidden" name="next" value={next} />}
      <CredentialFields
        email={{ name: 'email', label: 'Email', autocomplete: 'username' }}
        password={{ name: 'password', label: 'Password', autocomplete: 'current-password' }}
        typedEmail={email}
        errors={errors}
      />
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
        <p class="quiet margin-top-1">{describeProvider(host)}</p>
      </div>
    ))}
    <p class="quiet margin-top-3">Forgot your password? Ask your practice’s Admin.</p>
  </>
);
