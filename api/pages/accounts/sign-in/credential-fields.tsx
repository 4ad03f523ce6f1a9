import { type FieldError, findError } from '../../layout/field-errors.ts';
import { TextField } from '../../layout/text-field.tsx';

/** Names of a field in the form and on the page. */
interface CredentialField {
  readonly name: string;
  readonly label: string;
  readonly autocomplete: string;
  readonly hint?: string;
}

/** Email and password of an account. */
export const CredentialFields = ({
  email,
  password,
  typedEmail,
  errors,
}: {
  readonly email: CredentialField;
  readonly password: CredentialField;
  readonly typedEmail: string;
  readonly errors: readonly FieldError[];
}) => (
  <>
    <TextField
      {...email}
      type="email"
      inputMode="email"
      value={typedEmail}
      error={findError(errors, email.name)}
    />
    <TextField {...password} type="password" error={findError(errors, password.name)} />
  </>
);
