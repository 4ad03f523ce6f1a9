import type { Registry } from '../../registry/registry.ts';
import type { FieldError } from '../frame/field-errors.ts';
import { Notice } from '../frame/flash-messages.tsx';
import { Form } from '../frame/form.tsx';
import { CopyButton } from '../keys/shown-once.tsx';
import { CodeForm } from '../sign-in/code-form.tsx';
import { countInWords } from '../words/measures-in-words.ts';

type Factors = Awaited<ReturnType<Registry['secondFactors']['find']>>;

/** What a person signs in with, and what they can add. */
export const SecurityPage = ({
  factors,
  isShown,
}: {
  readonly factors: Factors;
  /** The second factor was shown in this session. */
  readonly isShown: boolean;
}) => {
  const hasApp = factors.kinds.includes('totp');
  return (
    <>
      <section aria-labelledby="password">
        <h2 id="password">Password</h2>
        <p>
          <a href="/account/password">Change your password</a>
        </p>
      </section>
      <section aria-labelledby="app">
        <h2 id="app">Authenticator app</h2>
        {hasApp ? (
          <>
            <p>
              On. Each sign-in asks for the code that your app shows, too.{' '}
              {factors.recoveryCodes === 0
                ? 'You have no recovery codes left.'
                : `You have ${countInWords(factors.recoveryCodes, 'recovery code')} left.`}
            </p>
            {!isShown && (
              <p>
                <a href="/account/security/confirm">Show your code</a> to go on with everything that
                asks for it.
              </p>
            )}
            <div class="cluster">
              <Do action="/account/security/codes">Show recovery codes</Do>
              <Do action="/account/security/app/remove">Remove the app</Do>
            </div>
          </>
        ) : (
          <>
            <p>
              Off. With an app on your phone that shows a new code every 30 seconds, a password that
              others have seen opens nothing.
            </p>
            <Do action="/account/security/app">Set up an authenticator app</Do>
          </>
        )}
      </section>
    </>
  );
};

const Do = ({ action, children }: { readonly action: string; readonly children: string }) => (
  <Form action={action}>
    <button type="submit" class="usa-button usa-button--outline">
      {children}
    </button>
  </Form>
);

/** The secret of a new app, and the form for its first code. */
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
    <ol class="usa-list">
      <li>Open your authenticator app and add an account.</li>
      <li>
        Scan this picture:
        <img
          class="qr-code"
          src={`data:image/svg+xml;base64,${Buffer.from(picture).toString('base64')}`}
          alt="QR code for your authenticator app"
          width="200"
          height="200"
        />
        or type this key: <code id="app-secret">{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
      </li>
      <li>Type the code that the app shows.</li>
    </ol>
    <CodeForm action={action} submit="Turn it on" errors={errors} isFirst />
  </>
);

/** Codes that are shown this once. */
export const RecoveryCodes = ({
  codes,
  back,
}: {
  readonly codes: readonly string[];
  readonly back: string;
}) => (
  <>
    <Notice kind="warning">
      These codes are shown this once. Print them, or keep them where your phone is not: each signs
      you in once if the app is lost. Codes that you had before are good no more.
    </Notice>
    <pre class="shown-once__text" id="recovery-codes">
      {codes.join('\n')}
    </pre>
    <CopyButton of="recovery-codes">Copy codes</CopyButton>
    <p>
      <a href={back}>I have kept them: go back</a>
    </p>
  </>
);

/** Asks for the second factor before something dangerous. */
export const ConfirmFirst = ({
  action,
  next,
  errors,
}: {
  readonly action: string;
  readonly next: string | null;
  readonly errors: readonly FieldError[];
}) => (
  <>
    <p>Nothing was changed yet. Show your second factor once more, then do it again.</p>
    <CodeForm action={action} next={next} submit="Confirm" errors={errors} />
  </>
);
