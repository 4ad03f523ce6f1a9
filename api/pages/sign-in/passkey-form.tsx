import type { ComponentChildren } from 'preact';
import type { PasskeyAddress } from '../../web/passkey-address.ts';
import { fieldId } from '../frame/field-errors.ts';
import { Form } from '../frame/form.tsx';
import { PASSKEY_FIELD } from './show-factor.ts';

/** Browser scripts of a page that has a {@link PasskeyForm}. */
export const PASSKEY_SCRIPTS: readonly string[] = ['simplewebauthn.js', 'passkeys.mjs'];

/** Says that a passkey cannot be used in a browser without scripts. */
export const NO_SCRIPT_MESSAGE =
  'Passkeys need a browser that runs scripts. Scripts are off in this one.';

/** Says that browsers keep passkeys for names only. */
export const NUMERIC_ADDRESS_MESSAGE = 'Passkeys do not work at a numeric address.';

/** What a form with a passkey is made of. */
export interface PasskeyFormProps {
  /** Whether a passkey is added or used. */
  readonly use: 'add' | 'show';
  readonly action: string;
  /** Where the browser gets the challenge. */
  readonly challengeAt: string;
  readonly submit: string;
  /** Fields beside the passkey. */
  readonly children?: ComponentChildren;
}

/** A form that asks the browser for a passkey before it is sent. */
export const PasskeyForm = ({ use, action, challengeAt, submit, children }: PasskeyFormProps) => (
  <>
    {/* Without script nothing can be shown. To add one stays possible: the answer says what is missing. */}
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
          <button type="submit" class="usa-button" id={fieldId(PASSKEY_FIELD)}>
            {submit}
          </button>
        </div>
      </Form>
      <p class="margin-top-2" role="status" data-passkey-told />
    </div>
    {use === 'show' && (
      <noscript>
        <p>{NO_SCRIPT_MESSAGE}</p>
      </noscript>
    )}
  </>
);

/** Says where passkeys work, if it is not where the page was opened. @param page the path to open there */
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
        Passkeys do not work at this address: browsers require https and a host name. Ask the people
        who run this service.
      </p>
    );
  return (
    <p>
      {NUMERIC_ADDRESS_MESSAGE} Open <a href={address.href + page}>{address.href + page}</a> to use
      them.
    </p>
  );
};
