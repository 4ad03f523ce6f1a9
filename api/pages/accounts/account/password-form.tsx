import { MIN_PASSWORD_LENGTH } from '../../../../domain/account/credentials.ts';
import { Notice } from '../../layout/flash-messages.tsx';
import { Form } from '../../layout/form.tsx';
import { TextField } from '../../layout/text-field.tsx';
import { NameField } from '../../parts/name-form.tsx';

export const describeInvitation = (practice: string): string =>
  `You’re invited to join ${practice}. Choose your own password to accept.`;

/** Label of the current password after a one-time password. */
export const TEMPORARY_PASSWORD = 'Temporary password';

export const CONFIRM_PASSWORD = 'Confirm new password';

export const PasswordForm = ({
  email,
  isFirst,
  practice = null,
  name,
  next,
}: {
  /** Lets a password manager identify the account. */
  readonly email: string;
  /** True if the current password is a one-time password. */
  readonly isFirst: boolean;
  /** Practice whose invitation this accepts; `null` if none. */
  readonly practice?: string | null;
  /** Known name; `undefined` if the form does not ask for it. */
  readonly name?: string;
  readonly next: string | null;
}) => (
  <Form action="/account/password">
    {isFirst && (
      <Notice kind="info">
        {practice === null
          ? 'Choose your own password to continue. The temporary one works only for this.'
          : describeInvitation(practice)}
      </Notice>
    )}
    {next !== null && <input type="hidden" name="next" value={next} />}
    <input
      type="text"
      class="usa-sr-only"
      name="email"
      value={email}
      autocomplete="username"
      aria-label="Email"
      readOnly
      tabIndex={-1}
    />
    {name !== undefined && (
      <NameField
        label="Your name"
        hint="Your practice sees it next to everything you do."
        name={name}
        autocomplete="name"
      />
    )}
    <TextField
      name="old"
      label={isFirst ? TEMPORARY_PASSWORD : 'Current password'}
      type="password"
      autocomplete="current-password"
    />
    <TextField
      name="new"
      label="New password"
      hint={`At least ${MIN_PASSWORD_LENGTH} characters. A sentence is easy to remember and hard to guess.`}
      type="password"
      autocomplete="new-password"
    />
    <TextField
      name="repeated"
      label={CONFIRM_PASSWORD}
      type="password"
      autocomplete="new-password"
    />
    <div class="buttons">
      <button type="submit" class="usa-button">
        Change password
      </button>
    </div>
  </Form>
);
