import { MIN_PASSWORD_LENGTH } from '../../../../domain/account/credentials.ts';
import { ErrorSummary } from '../../layout/error-summary.tsx';
import { type FieldError, findError } from '../../layout/field-errors.ts';
import { Notice } from '../../layout/flash-messages.tsx';
import { Form } from '../../layout/form.tsx';
import { TextField } from '../../layout/text-field.tsx';
import { NameField } from '../people/name-form.tsx';

/** Introduction for an invited person. */
export const describeInvitation = (practice: string): string =>
  `You are invited to ${practice}. Choose a password of your own to take your seat there.`;

export interface PasswordFormProps {
  /** Lets a password manager identify the account. */
  readonly email: string;
  /** True if the current password is a one-time password. */
  readonly isFirst: boolean;
  /** Practice whose invitation this accepts; `null` if none. */
  readonly joins?: string | null;
  /** Known name; `undefined` if the form does not ask for it. */
  readonly name?: string;
  readonly next: string | null;
  readonly errors: readonly FieldError[];
}

/** Form for changing one's own password. */
export const PasswordForm = ({
  email,
  isFirst,
  joins = null,
  name,
  next,
  errors,
}: PasswordFormProps) => (
  <>
    <ErrorSummary errors={errors} />
    {isFirst && (
      <Notice kind="info">
        {joins === null
          ? 'Choose your own password to continue. The one you were given only works for this.'
          : describeInvitation(joins)}
      </Notice>
    )}
    <Form action="/account/password">
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
          hint="Your practice sees it wherever you have done something."
          name={name}
          errors={errors}
          autocomplete="name"
        />
      )}
      <TextField
        name="old"
        label={isFirst ? 'Password that you were given' : 'Old password'}
        type="password"
        autocomplete="current-password"
        error={findError(errors, 'old')}
      />
      <TextField
        name="new"
        label="New password"
        hint={`At least ${MIN_PASSWORD_LENGTH} characters. A sentence is easy to remember and hard to guess.`}
        type="password"
        autocomplete="new-password"
        error={findError(errors, 'new')}
      />
      <TextField
        name="repeated"
        label="New password once more"
        type="password"
        autocomplete="new-password"
        error={findError(errors, 'repeated')}
      />
      <div class="buttons">
        <button type="submit" class="usa-button">
          Change password
        </button>
      </div>
    </Form>
  </>
);
