import type { ComponentChildren } from 'preact';
import type { App } from '../../ports/app-ports.ts';
import type { PasskeyAddress } from '../../web/passkey-address.ts';
import { ErrorSummary } from '../layout/error-summary.tsx';
import { buildFieldId, type FieldError, findError } from '../layout/field-errors.ts';
import { Form } from '../layout/form.tsx';
import { type HiddenField, HiddenFieldList } from '../layout/hidden-fields.tsx';
import { TextField } from '../layout/text-field.tsx';
import { LOST_FACTORS, PASSKEY_FIELD } from './verify-factor.ts';

export const PASSKEY_SCRIPTS: readonly string[] = ['simplewebauthn.js', 'passkeys.mjs'];

/** Form that asks the browser for a passkey before it is submitted. */
export const PasskeyForm = ({
  use,
  action,
  submit,
  children,
}: {
  readonly use: 'add' | 'show';
  /** Path that the form posts to; its challenge is at a path below it. */
  readonly action: string;
  readonly submit: string;
  readonly children?: ComponentChildren;
}) => (
  <>
    {/* Without script, no passkey can be used. The form to add one remains, because its answer
        explains why. */}
    <div
      class="margin-top-3"
      data-passkey={use}
      data-challenge={`${action}/${use === 'add' ? 'challenge' : 'passkey'}`}
      hidden={use === 'show'}
    >
      <Form action={action}>
        <input type="hidden" name={PASSKEY_FIELD} autocomplete="off" />
        {children}
        <div class="buttons">
          <button type="submit" class="usa-button" id={buildFieldId(PASSKEY_FIELD)}>
            {submit}
          </button>
        </div>
      </Form>
      <p class="margin-top-2" role="status" data-passkey-message />
    </div>
    {use === 'show' && (
      <noscript>
        <p data-message="no-script">
          Passkeys need JavaScript, which is turned off in this browser.
        </p>
      </noscript>
    )}
  </>
);

/** @param page path to open there */
export const PasskeyAddressNote = ({
  relyingParty,
  page,
}: {
  readonly relyingParty: PasskeyAddress;
  readonly page: string;
}) => {
  if (relyingParty.kind === 'usable') return null;
  if (relyingParty.kind === 'unusable')
    return (
      <p>
        Passkeys do not work at this address: browsers require https and a host name. Contact the
        people who run this service.
      </p>
    );
  // Browsers support passkeys only for host names.
  return (
    <p data-message="numeric-address">
      Passkeys do not work at a numeric address. Open{' '}
      <a href={relyingParty.href + page}>{relyingParty.href + page}</a> to use them.
    </p>
  );
};

export const CodeForm = ({
  action,
  submit,
  hint,
  hiddenFields = [],
  errors,
  isSecond = false,
}: {
  readonly action: string;
  readonly submit: string;
  readonly hint: string;
  /** Fields to pass on after a correct code. */
  readonly hiddenFields?: readonly HiddenField[];
  readonly errors: readonly FieldError[];
  /** True if another form on the page is the main one. */
  readonly isSecond?: boolean;
}) => (
  <Form action={action} class="sign-in">
    <HiddenFieldList fields={hiddenFields} />
    <TextField
      name="code"
      label="Code"
      hint={hint}
      autocomplete="one-time-code"
      error={findError(errors, 'code')}
    />
    <button type="submit" class={isSecond ? 'usa-button usa-button--outline' : 'usa-button'}>
      {submit}
    </button>
  </Form>
);

export const FactorForms = ({
  factors,
  relyingParty,
  action,
  submit,
  hiddenFields = [],
  errors,
  page,
}: {
  readonly factors: Awaited<ReturnType<App['secondFactors']['find']>>;
  readonly relyingParty: PasskeyAddress;
  readonly action: string;
  readonly submit: string;
  /** Fields to pass on after a correct factor. */
  readonly hiddenFields?: readonly HiddenField[];
  readonly errors: readonly FieldError[];
  readonly page: string;
}) => {
  const hasPasskey = factors.kinds.includes('passkey');
  const hasApp = factors.kinds.includes('totp');
  const hasRecoveryCodes = factors.recoveryCodes > 0;
  return (
    <>
      <ErrorSummary errors={errors} />
      {hasPasskey && <PasskeyAddressNote relyingParty={relyingParty} page={page} />}
      {hasPasskey && relyingParty.kind === 'usable' && (
        <PasskeyForm use="show" action={action} submit="Use your passkey">
          <HiddenFieldList fields={hiddenFields} />
        </PasskeyForm>
      )}
      {(hasApp || hasRecoveryCodes) && (
        <>
          {hasPasskey && <h2>{hasApp ? 'Or enter a code' : 'Or use a recovery code'}</h2>}
          <CodeForm
            action={action}
            submit={submit}
            hint={
              hasApp
                ? `The 6-digit code from your authenticator app${hasRecoveryCodes ? ', or one of your recovery codes' : ''}`
                : 'One of your recovery codes'
            }
            hiddenFields={hiddenFields}
            errors={errors}
            isSecond={hasPasskey && relyingParty.kind === 'usable'}
          />
        </>
      )}
      <p class="quiet margin-top-3">{LOST_FACTORS}</p>
    </>
  );
};
