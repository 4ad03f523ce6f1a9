import { ErrorSummary } from '../frame/error-summary.tsx';
import type { FieldError } from '../frame/field-errors.ts';
import { Form } from '../frame/form.tsx';
import { CredentialFields } from './credential-fields.tsx';

/** What the sign-in shows. */
export interface SignInProps {
  readonly email: string;
  readonly errors: readonly FieldError[];
  /** The page to go to afterwards; null: the first page of the account. */
  readonly next: string | null;
}

/** The form to sign in with. */
export const SignInForm = ({ email, errors, next }: SignInProps) => (
  <>
    <ErrorSummary errors={errors} />
    <Form action="/sign-in" class="sign-in">
      {next !== null && <input type="hidden" name="next" value={next} />}
      <CredentialFields
        email={{ name: 'email', label: 'Email', autocomplete: 'username' }}
        password={{ name: 'password', label: 'Password', autocomplete: 'current-password' }}
        typedEmail={email}
        errors={errors}
      />
      <button type="submit" class="usa-button">
        Sign in
      </button>
    </Form>
    <p class="quiet">Forgotten your password? An Admin of your practice can help.</p>
  </>
);
