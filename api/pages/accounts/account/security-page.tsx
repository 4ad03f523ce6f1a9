import { countInWords } from '../../../../domain/format-measures.ts';
import type { App } from '../../../ports/app-ports.ts';
import { SECURITY_PAGE } from '../../../web/guards/second-factor-first.ts';
import type { PasskeyAddress } from '../../../web/passkey-address.ts';
import { DataTable } from '../../layout/data-table.tsx';
import { ErrorSummary } from '../../layout/error-summary.tsx';
import { type FieldError, findError } from '../../layout/field-errors.ts';
import { Form } from '../../layout/form.tsx';
import { LinkButton } from '../../layout/link-button.tsx';
import { Section } from '../../layout/section.tsx';
import { TextField } from '../../layout/text-field.tsx';
import { Time } from '../../layout/time.tsx';
import { CodeForm } from '../../second-factor/code-form.tsx';
import { PasskeyAddressNote, PasskeyForm } from '../../second-factor/passkey-form.tsx';

export const describeCodesLeft = (count: number): string =>
  count === 0
    ? 'You have no recovery codes left.'
    : `You have ${countInWords(count, 'recovery code')} left.`;

/** Result of removing the last second factor if the account requires one. */
export const FACTOR_NEEDED =
  'Your account needs a second factor. You will have to set up another one before you can do anything else.';

export const PASSKEYS = `${SECURITY_PAGE}/passkeys`;
export const APP = `${SECURITY_PAGE}/app`;
export const CODES = `${SECURITY_PAGE}/codes`;

export interface SecurityPageProps {
  readonly factors: Awaited<ReturnType<App['secondFactors']['find']>>;
  readonly passkeys: Awaited<ReturnType<App['passkeys']['list']>>;
  readonly address: PasskeyAddress;
  /** True if the second factor was used in this session. */
  readonly hasUsedFactor: boolean;
  readonly name: string;
  readonly errors: readonly FieldError[];
}

export const NEVER_USED = 'Never';

export const SecurityPage = (props: SecurityPageProps) => {
  const { factors, hasUsedFactor, errors } = props;
  const hasFactor = factors.kinds.length > 0;
  return (
    <>
      <ErrorSummary errors={errors} />
      {hasFactor && !hasUsedFactor && (
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
      <Passkeys {...props} />
      <Section id="app" heading="Authenticator app">
        {factors.kinds.includes('totp') ? (
          <>
            <p>On. Each sign-in asks for a code from your app, or for a passkey.</p>
            <LinkButton action={`${APP}/remove`} about="app">
              Remove the app
            </LinkButton>
          </>
        ) : (
          <>
            <p>
              Off. With an app on your phone that shows a new code every 30 seconds, a stolen
              password alone cannot open your account.
            </p>
            <PostButton action={APP}>Set up an authenticator app</PostButton>
          </>
        )}
      </Section>
      {hasFactor && (
        <Section id="codes" heading="Recovery codes">
          <p>
            {describeCodesLeft(factors.recoveryCodes)} Each code works once, if you lose your
            passkey or app. Codes are shown only when they are created: this button creates ten new
            ones, and the ones you have now stop working.
          </p>
          <PostButton action={CODES}>Show recovery codes</PostButton>
        </Section>
      )}
    </>
  );
};

const Passkeys = ({ passkeys, address, name, errors }: SecurityPageProps) => (
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
            cell: ({ lastUsedAt }) => (lastUsedAt === null ? NEVER_USED : <Time at={lastUsedAt} />),
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
    <PasskeyAddressNote address={address} page={SECURITY_PAGE} />
    {address.kind === 'usable' && (
      <PasskeyForm
        use="add"
        action={PASSKEYS}
        challengeAt={`${PASSKEYS}/challenge`}
        submit="Add a passkey"
      >
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

export const SetUpApp = ({
  action,
  picture,
  secret,
  errors,
}: {
  readonly action: string;
  /** SVG of the QR code. */
  readonly picture: string;
  readonly secret: string;
  readonly errors: readonly FieldError[];
}) => (
  <>
    <ErrorSummary errors={errors} />
    <ol class="usa-list">
      <li>Open your authenticator app and add an account.</li>
      <li>
        Scan this QR code:
        <img
          class="qr-code"
          src={`data:image/svg+xml;base64,${Buffer.from(picture).toString('base64')}`}
          alt="QR code for your authenticator app"
          width="200"
          height="200"
        />
        or enter this key: <code id="app-secret">{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
      </li>
      <li>Enter the code that the app shows.</li>
    </ol>
    <CodeForm
      action={action}
      submit="Turn it on"
      hint="The 6-digit code from the app"
      errors={errors}
    />
  </>
);

/** Result of removing the last second factor. */
export const PASSWORD_ALONE_MESSAGE = 'After that, your password alone will sign you in.';

/** Result of removing a second factor that is not the last. */
export const OTHER_FACTORS_MESSAGE =
  'Your other ways to sign in and your recovery codes keep working.';

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
    <p>
      It is your only second factor, so your recovery codes will stop working, too.{' '}
      {isRequired ? FACTOR_NEEDED : PASSWORD_ALONE_MESSAGE}
    </p>
  ) : (
    <p>{OTHER_FACTORS_MESSAGE}</p>
  );
