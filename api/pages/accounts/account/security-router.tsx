import type { Request, Response, Router } from 'express';
import { countInWords } from '../../../../domain/format-measures.ts';
import { toPerson } from '../../../access/person.ts';
import type { SignedIn } from '../../../access/signed-in.ts';
import { noteRefusedCredential, noteSecondFactor } from '../../../access-log/access-notes.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText } from '../../../web/form-body.ts';
import { getAccount, requireAccount } from '../../../web/guards/seats.ts';
import { needsSecondFactor, SECURITY_PAGE } from '../../../web/guards/second-factor-first.ts';
import { readNextPage } from '../../../web/next-page.ts';
import type { PasskeyAddress } from '../../../web/passkey-address.ts';
import { DataTable } from '../../layout/data-table.tsx';
import { ErrorSummary } from '../../layout/error-summary.tsx';
import { type FieldError, findError } from '../../layout/field-errors.ts';
import { Notice } from '../../layout/flash-messages.tsx';
import { Form } from '../../layout/form.tsx';
import { LinkButton } from '../../layout/link-button.tsx';
import type { PageView } from '../../layout/page.tsx';
import {
  backToForm,
  createRouter,
  page,
  post,
  type Redirect,
  redirect,
} from '../../layout/routes.tsx';
import { Section } from '../../layout/section.tsx';
import { CopyButton } from '../../layout/shown-once.tsx';
import { TextField } from '../../layout/text-field.tsx';
import { Time } from '../../layout/time.tsx';
import {
  PASSKEY_SCRIPTS,
  PasskeyAddressNote,
  PasskeyForm,
} from '../../second-factor/factor-forms.tsx';
import {
  CONFIRM,
  loadConfirm,
  PASSWORD_FIELD,
  RESUBMITTED_FIELD,
  requireStepUp,
} from '../../second-factor/step-up.tsx';
import {
  createFactorCheck,
  getRelyingParty,
  sendPasskeyRequest,
} from '../../second-factor/verify-factor.ts';
import { createOwnAttemptCounter } from '../sign-in/sign-in-throttle.ts';

export const PASSKEYS = `${SECURITY_PAGE}/passkeys`;
export const AUTHENTICATOR = `${SECURITY_PAGE}/app`;
const CODES = `${SECURITY_PAGE}/codes`;

export const securityRouter = (app: App): Router => {
  const { secondFactors, now } = app;
  const verifyFactor = createFactorCheck(app);

  const stepUp = requireStepUp(app);
  const countAttempt = createOwnAttemptCounter(app);

  /** Errors in the password entered as confirmation; empty if it is correct. */
  const verifyOwnPassword = async (
    req: Request,
    res: Response,
    accountId: string,
  ): Promise<readonly FieldError[]> => {
    const typed = readFormText(req, PASSWORD_FIELD);
    if (typed === '')
      return [{ field: PASSWORD_FIELD, id: 'no-password', message: 'Enter your password.' }];
    const attempt = await countAttempt(req, res, accountId, 'Nothing has changed');
    const { passwords } = app;
    const current = await passwords.find(accountId);
    const isRight = await attempt.check(
      async () => current !== null && passwords.verifyPassword(current.hash, typed, accountId),
    );
    if (isRight) {
      await attempt.succeed();
      return [];
    }
    await passwords.countFailure(accountId);
    await noteRefusedCredential(app, res, accountId, 'confirmation');
    return [
      {
        field: PASSWORD_FIELD,
        id: 'wrong-password',
        message: 'This is not your password. Try again.',
      },
    ];
  };

  return createRouter(
    page(SECURITY_PAGE, requireAccount, (req, res) => loadSecurity(app, req, res)),
    page(CONFIRM, requireAccount, (req, res) => loadConfirm(app, req, res, null)),
    post(CONFIRM, requireAccount, async (req, res) => {
      const next = readNextPage(readFormText(req, 'next'));
      const who = getAccount(res);
      const accountId = toPerson(who).id;
      if ((await secondFactors.find(accountId)).kinds.length === 0) {
        const errors = await verifyOwnPassword(req, res, accountId);
        if (errors.length > 0) return loadConfirm(app, req, res, next, errors);
        req.session.confirmedAt = now().getTime();
      } else {
        const outcome = await verifyFactor(req, res, accountId);
        if (outcome.kind === 'refused') return loadConfirm(app, req, res, next, outcome.errors);
        if (outcome.kind === 'recovery-code') await noteSecondFactor(app, res, who, 'code-used');
        req.session.factorAt = now().getTime();
      }
      const pendingForm = readNextPage(readFormText(req, RESUBMITTED_FIELD));
      if (pendingForm === null) return redirect(next ?? SECURITY_PAGE);
      // The browser posts the pending form again, unchanged.
      res.redirect(307, pendingForm);
      return undefined;
    }),
    backToForm(`${CONFIRM}/passkey`, requireAccount, CONFIRM),
    post(`${CONFIRM}/passkey`, requireAccount, (req, res) =>
      sendPasskeyRequest(app, req, res, toPerson(getAccount(res)).id),
    ),
    backToForm(CODES, requireAccount, SECURITY_PAGE),
    post(CODES, [requireAccount, stepUp], async (_req, res) => {
      const who = getAccount(res);
      const { kinds } = await secondFactors.find(toPerson(who).id);
      return kinds.length === 0 ? redirect(SECURITY_PAGE) : replaceRecoveryCodes(app, res, who);
    }),
  );
};

interface PasskeyNameInput {
  readonly name: string;
  readonly errors: readonly FieldError[];
}

export const loadSecurity = async (
  app: App,
  req: Request,
  res: Response,
  { name, errors }: PasskeyNameInput = { name: '', errors: [] },
): Promise<PageView> => {
  const accountId = toPerson(getAccount(res)).id;
  const [factors, passkeys] = await Promise.all([
    app.secondFactors.find(accountId),
    app.passkeys.list(accountId),
  ]);
  const hasFactor = factors.kinds.length > 0;
  return {
    title: 'Security',
    hasErrors: errors.length > 0,
    scripts: PASSKEY_SCRIPTS,
    children: (
      <>
        <ErrorSummary errors={errors} />
        {hasFactor && req.session.factorAt === undefined && (
          <p>
            <a href={`${SECURITY_PAGE}/confirm`}>Use your second factor</a> to continue with actions
            that need it.
          </p>
        )}
        <Section id="password" heading="Password">
          <p>
            <a href="/account/password">Change your password</a>
          </p>
        </Section>
        <Passkeys
          passkeys={passkeys}
          relyingParty={getRelyingParty(app, req)}
          name={name}
          errors={errors}
        />
        <Section id="app" heading="Authenticator app">
          {factors.kinds.includes('totp') ? (
            <>
              <p>On. Each sign-in asks for a code from your app, or for a passkey.</p>
              <LinkButton action={`${AUTHENTICATOR}/remove`} about="app">
                Remove the app
              </LinkButton>
            </>
          ) : (
            <>
              <p>
                Off. With an app on your phone that shows a new code every 30 seconds, a stolen
                password alone cannot open your account.
              </p>
              <PostButton action={AUTHENTICATOR}>Set up an authenticator app</PostButton>
            </>
          )}
        </Section>
        {hasFactor && (
          <Section id="codes" heading="Recovery codes">
            <p>
              <span data-message="codes-left">
                {factors.recoveryCodes === 0
                  ? 'You have no recovery codes left.'
                  : `You have ${countInWords(factors.recoveryCodes, 'recovery code')} left.`}
              </span>{' '}
              Each code works once, if you lose your passkey or app. Codes are shown only when they
              are created: this button creates ten new ones, and the ones you have now stop working.
            </p>
            <PostButton action={CODES}>Create new recovery codes</PostButton>
          </Section>
        )}
      </>
    ),
  };
};

/** Returns the page that shows them, once. */
export const replaceRecoveryCodes = async (
  app: App,
  res: Response,
  who: SignedIn,
): Promise<PageView> => {
  const { secondFactors, timeCodes } = app;
  const codes = timeCodes.createRecoveryCodes();
  await secondFactors.replaceRecoveryCodes(toPerson(who).id, codes.map(timeCodes.hashRecoveryCode));
  await noteSecondFactor(app, res, who, 'codes-made');
  return {
    title: 'Recovery codes',
    scripts: ['copy.mjs'],
    children: (
      <>
        <Notice kind="warning" id="codes-once">
          These codes are shown only once. Print them, or keep them somewhere other than your phone.
          Each code works once, if you lose your passkey or app. Any codes you had before no longer
          work.
        </Notice>
        <pre class="shown-once__text" id="recovery-codes">
          {codes.join('\n')}
        </pre>
        <CopyButton of="recovery-codes">Copy codes</CopyButton>
        <p>
          <a href={SECURITY_PAGE}>I’ve saved these codes</a>
        </p>
      </>
    ),
  };
};

/** Updates the session after a removal. */
export const finishRemoval = async (
  { secondFactors }: App,
  req: Request,
  res: Response,
  factor: string,
): Promise<Redirect> => {
  const { kinds } = await secondFactors.find(toPerson(getAccount(res)).id);
  if (kinds.length === 0) delete (req.session as Partial<typeof req.session>).factorAt;
  const withoutAny = needsSecondFactor(res)
    ? ' Set up another second factor to continue.'
    : ' Your password alone now signs you in.';
  return redirect(SECURITY_PAGE, {
    id: 'factor-removed',
    text: `${factor} was removed.${kinds.length === 0 ? withoutAny : ''}`,
  });
};

const Passkeys = ({
  passkeys,
  relyingParty,
  name,
  errors,
}: PasskeyNameInput & {
  readonly passkeys: Awaited<ReturnType<App['passkeys']['list']>>;
  readonly relyingParty: PasskeyAddress;
}) => (
  <Section id="passkeys" heading="Passkeys">
    <p>
      A passkey on your phone, computer, or security key confirms that it is you, after you enter
      your password. It works only at the address where you added it, so a fake site cannot use it.
    </p>
    {passkeys.length > 0 && (
      <DataTable
        caption="Your passkeys"
        captionHidden
        rows={passkeys}
        keyOf={({ passkeyId }) => passkeyId}
        columns={[
          {
            heading: 'Name',
            namesRow: true,
            cell: (passkey) => <span id={`passkey-${passkey.passkeyId}`}>{passkey.name}</span>,
          },
          { heading: 'Added', cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            heading: 'Last used',
            cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Time at={lastUsedAt} />),
          },
          {
            heading: 'Change',
            cell: ({ passkeyId }) => (
              <div class="row-action">
                <LinkButton
                  action={`${PASSKEYS}/${passkeyId}/remove`}
                  about={`passkey-${passkeyId}`}
                >
                  Remove
                </LinkButton>
              </div>
            ),
          },
        ]}
      />
    )}
    <PasskeyAddressNote relyingParty={relyingParty} page={SECURITY_PAGE} />
    {relyingParty.kind === 'usable' && (
      <PasskeyForm use="add" action={PASSKEYS} submit="Add a passkey">
        <TextField
          name="name"
          label="Name of the passkey"
          hint="For example, work laptop or blue security key"
          optional
          value={name}
          error={findError(errors, 'name')}
        />
      </PasskeyForm>
    )}
  </Section>
);

const PostButton = ({
  action,
  children,
}: {
  readonly action: string;
  readonly children: string;
}) => (
  <Form action={action}>
    <button type="submit" class="usa-button usa-button--outline">
      {children}
    </button>
  </Form>
);

export const RemovalEffects = ({
  isLast,
  isRequired,
}: {
  /** True if only the password remains. */
  readonly isLast: boolean;
  /** True if the account requires a second factor. */
  readonly isRequired: boolean;
}) =>
  isLast ? (
    <p data-message={isRequired ? 'factor-needed' : 'password-alone'}>
      It is your only second factor, so your recovery codes will stop working, too.{' '}
      {isRequired
        ? 'Your account needs a second factor. You will have to set up another one before you can do anything else.'
        : 'After that, your password alone will sign you in.'}
    </p>
  ) : (
    <p data-message="other-factors">
      Your other ways to sign in and your recovery codes keep working.
    </p>
  );
