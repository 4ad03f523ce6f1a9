import type { App } from '../../ports/app-ports.ts';
import type { PasskeyAddress } from '../../web/passkey-address.ts';
import { ErrorSummary } from '../layout/error-summary.tsx';
import type { FieldError } from '../layout/field-errors.ts';
import { type HiddenField, HiddenFieldList } from '../layout/hidden-fields.tsx';
import { CodeForm } from './code-form.tsx';
import { LOST_FACTORS } from './factor-refusals.ts';
import { PasskeyAddressNote, PasskeyForm } from './passkey-form.tsx';

export interface FactorFormsProps {
  readonly factors: Awaited<ReturnType<App['secondFactors']['find']>>;
  readonly address: PasskeyAddress;
  /** Path that the form posts to; the passkey challenge is at a path below it. */
  readonly action: string;
  readonly submit: string;
  /** Fields to pass on after a correct factor. */
  readonly hiddenFields?: readonly HiddenField[];
  readonly errors: readonly FieldError[];
  readonly page: string;
}

export const FactorForms = (props: FactorFormsProps) => {
  const { factors, address, action, submit, hiddenFields = [], errors, page } = props;
  const hasPasskey = factors.kinds.includes('passkey');
  const hasApp = factors.kinds.includes('totp');
  const hint = buildHint(hasApp, factors.recoveryCodes > 0);
  return (
    <>
      <ErrorSummary errors={errors} />
      {hasPasskey && <PasskeyAddressNote address={address} page={page} />}
      {hasPasskey && address.kind === 'usable' && (
        <PasskeyForm
          use="show"
          action={action}
          challengeAt={`${action}/passkey`}
          submit="Use your passkey"
        >
          <HiddenFieldList fields={hiddenFields} />
        </PasskeyForm>
      )}
      {hint !== null && (
        <>
          {hasPasskey && <h2>{hasApp ? 'Or enter a code' : 'Or use a recovery code'}</h2>}
          <CodeForm
            action={action}
            submit={submit}
            hint={hint}
            hiddenFields={hiddenFields}
            errors={errors}
            isSecond={hasPasskey && address.kind === 'usable'}
          />
        </>
      )}
      <p class="quiet margin-top-3">{LOST_FACTORS}</p>
    </>
  );
};

const buildHint = (hasApp: boolean, hasRecoveryCodes: boolean): string | null => {
  if (!hasApp) return hasRecoveryCodes ? 'One of your recovery codes' : null;
  return hasRecoveryCodes
    ? 'The 6-digit code from your authenticator app, or one of your recovery codes'
    : 'The 6-digit code from your authenticator app';
};
