import type { ComponentChildren } from 'preact';
import type { PasskeyAddress } from '../../web/passkey-address.ts';
import { buildFieldId } from '../layout/field-errors.ts';
import { Form } from '../layout/form.tsx';
import { PASSKEY_FIELD } from './show-factor.ts';

export const PASSKEY_SCRIPTS: readonly string[] = ['simplewebauthn.js', 'passkeys.mjs'];

export const NO_SCRIPT_MESSAGE = 'Passkeys need JavaScript, which is turned off in this browser.';

/** Browsers support passkeys only for host names. */
export const NUMERIC_ADDRESS_MESSAGE = 'Passkeys do not work at a numeric address.';

export interface PasskeyFormProps {
  readonly use: 'add' | 'show';
  readonly action: string;
  readonly challengeAt: string;
  readonly submit: string;
  readonly children?: ComponentChildren;
}

/** Form that asks the browser for a passkey before it is submitted. */
export const PasskeyForm = ({ use, action, challengeAt, submit, children }: PasskeyFormProps) => (
  <>
    {/* Without script, no passkey can be used. The form to add one remains, because its answer
        explains why. */}
    <div
      class="margin-top-3"
      data-passkey={use}
      data-challenge={challengeAt}
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
        <p>{NO_SCRIPT_MESSAGE}</p>
      </noscript>
    )}
  </>
);

/** @param page path to open there */
export const PasskeyAddressNote = ({
  address,
  page,
}: {
  readonly address: PasskeyAddress;
  readonly page: string;
}) => {
  if (address.kind === 'usable') return null;
  if (address.kind === 'unusable')
    return (
      <p>
        Passkeys do not work at this address: browsers require https and a host name. Contact the
        people who run this service.
      </p>
    );
  return (
    <p>
      {NUMERIC_ADDRESS_MESSAGE} Open <a href={address.href + page}>{address.href + page}</a> to use
      them.
    </p>
  );
};
