import { ErrorSummary } from '../frame/error-summary.tsx';
import { errorOf, type FieldError } from '../frame/field-errors.ts';
import { Form } from '../frame/form.tsx';
import { TextField } from '../frame/text-field.tsx';

/** What the sign-in shows. */
export interface SignInProps {
  readonly email: string;
  readonly errors: readonly FieldError[];
  /** The page to go to afterwards; null: the first page of whoever signs in. */
  readonly next: string | null;
}

/** The form to sign in with. */
export const SignInForm = ({ email, errors, next }: SignInProps) => (
  <>
    <ErrorSummary errors={errors} />
    <Form action="/sign-in" class="sign-in">
      {next !== null && <input type="hidden" name="next" value={next} />}
      <TextField
        name="email"
        label="Email"
        type="email"
        inputMode="email"
        autocomplete="username"
        value={email}
        error={errorOf(errors, 'email')}
      />
      <TextField
        name="password"
        label="Password"
        type="password"
        autocomplete="current-password"
        error={errorOf(errors, 'password')}
      />
      <button type="submit" class="usa-button">
        Sign in
      </button>
    </Form>
    <p class="quiet">Forgotten your password? An Admin of your practice can help.</p>
  </>
);
