import { type Request, type Response, Router } from 'express';
import { normalizeEmail } from '../../../../domain/account/credentials.ts';
import type { FindSignedIn } from '../../../access/signed-in.ts';
import {
  noteHeldBack,
  noteRefusedPassword,
  noteSignOut,
} from '../../../access-log/access-notes.ts';
import { getAddressBucket } from '../../../http/rate-limiter.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText, readQueryText } from '../../../web/form-body.ts';
import { getPasswordPage } from '../../../web/guards/own-password.ts';
import { readNextPage } from '../../../web/next-page.ts';
import { TOO_MANY_TITLE } from '../../../web/page-problem.ts';
import { redirectGet } from '../../../web/redirect-get.ts';
import { hasCsrfToken } from '../../../web/session/csrf.ts';
import {
  endSession,
  finishAfterSignOut,
  getSignedIn,
  renewSession,
} from '../../../web/session/signed-in-session.ts';
import { type FieldError, toFieldError } from '../../layout/field-errors.ts';
import { Form } from '../../layout/form.tsx';
import { getHomePath } from '../../layout/navigation.ts';
import { sendPage } from '../../layout/send-page.tsx';
import { formatWait } from '../../text/format-times.ts';
import { createCredentialCheck } from './check-credentials.ts';
import { CredentialFields } from './credential-fields.tsx';
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

const ENDED: readonly FieldError[] = [toFieldError('password', { code: 'password-ended' })];

/** Error if another tab has replaced the session of this form. */
export const ANOTHER_TAB: readonly FieldError[] = [
  {
    field: 'password',
    id: 'another-tab',
    message:
      'This page was open too long, or you signed in from another tab. Enter your password again.',
  },
];

export const NO_EMAIL = 'Enter the email of your account.';

export const NO_PASSWORD = 'Enter your password.';

/** @param email of the account that is already signed in */
export const describeOtherTab = (email: string): string =>
  `You are signed in as ${email} in another tab of this browser. To use a different account, sign out first.`;

export const ALREADY_SIGNED_IN = 'You are already signed in';

export const describeContinue = (email: string): string => `Continue as ${email}`;

/** @param waitMs time until the next attempt */
export const describeWait = (waitMs: number): string =>
  `There were too many attempts for this account or from your network. Wait ${formatWait(waitMs)}, then try again. Nothing stays locked longer than that.`;

export const describeProvider = (host: string): string =>
  `You’ll sign in at ${host} and return here.`;

/** Attempts came from many unknown places, so the account blocks unknown places temporarily. */
export const TOO_MANY_ATTEMPTS =
  'The attempts came from many places. If this is your account, you can still sign in from a place where you signed in recently, such as your practice.';

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
  const sendForm = createSendForm(findOffers);
  const checkCredentials = createCredentialCheck(app, findSignedIn);
  const countAttempt = createAttemptCounter(app);

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
      if (!hasCsrfToken(req, res)) {
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
      const accountId = app.identity.accountId(email);
      const attempt = await countAttempt(req, accountId);
      for (const by of attempt.justReached) await noteHeldBack(app, res, accountId, by);
      if (attempt.waitMs !== null) {
        refuseTemporarily(req, res, attempt.waitMs, attempt);
        return;
      }
      const { isKnownPlace } = attempt;
      const address = getAddressBucket(req);
      const credentials = await attempt.check(() =>
        checkCredentials({ accountId, password, address, isKnownPlace }),
      );
      switch (credentials.kind) {
        case 'wrong':
          await app.passwords.countFailure(accountId);
          await noteRefusedPassword(app, res, accountId, 'sign-in');
          await sendForm(req, res, next, WRONG, 401);
          return;
        case 'ended':
          await sendForm(req, res, next, ENDED, 401);
          return;
        case 'invitation': {
          const { practiceId } = credentials;
          await attempt.succeed();
          await renewSession(req);
          req.session.invitation = { accountId, email, practiceId };
          res.redirect(303, getPasswordPage(next));
          return;
        }
        case 'account': {
          const { who, generation, isOneTime, failures } = credentials;
          const failedSince = credentials.failedSince?.getTime() ?? null;
          const verifiedCredentials = {
            accountId,
            generation,
            isOneTime,
            failures,
            failedSince,
            next,
          };
          await attempt.succeed();
          if ((await app.secondFactors.find(accountId)).kinds.length === 0) {
            await finishSignIn(app, req, res, who, verifiedCredentials, null);
            return;
          }
          await beginSecondStep(req, res, verifiedCredentials, app.now());
        }
      }
    })
    .get('/sign-out', redirectGet('/'))
    .post('/sign-out', async (req, res) => {
      const who = getSignedIn(res);
      finishAfterSignOut(res);
      await endSession(req, res);
      if (who !== null) await noteSignOut(app, res, who);
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
        <a href={getHomePath(who)}>{describeContinue(who.email)}</a>
      </p>
    </>
  );
  sendPage(req, res, { title: ALREADY_SIGNED_IN, children }, 403);
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
    const children = <SignInForm email={email} next={next} offers={await findOffers(req)} />;
    sendPage(req, res, { title: 'Sign in', errors, children }, status);
  };

const refuseTemporarily = (
  req: Request,
  res: Response,
  waitMs: number,
  { isFromNewPlaces }: CountedAttempt,
): void => {
  res.set('Retry-After', String(Math.ceil(waitMs / 1000)));
  const children = (
    <>
      <p>{describeWait(waitMs)}</p>
      {isFromNewPlaces && <p>{TOO_MANY_ATTEMPTS}</p>}
      <p>
        <a href="/sign-in">Back to sign in</a>
      </p>
    </>
  );
  sendPage(req, res, { title: TOO_MANY_TITLE, children }, 429);
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
      <CredentialFields
        email={{ name: 'email', label: 'Email', autocomplete: 'username' }}
        password={{ name: 'password', label: 'Password', autocomplete: 'current-password' }}
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
    <p class="quiet margin-top-3">Forgot your password? Ask your practice’s Admin for a new one.</p>
  </>
);
