import { ErrorSummary } from '../frame/error-summary.tsx';
import { errorOf, type FieldError } from '../frame/field-errors.ts';
import { Form } from '../frame/form.tsx';
import { TextField } from '../frame/text-field.tsx';

/** What the form for a code shows. */
export interface CodeFormProps {
  readonly action: string;
  readonly submit: string;
  /** The page to go to afterwards. */
  readonly next?: string | null;
  readonly errors: readonly FieldError[];
  /** Only the app's codes are taken: nothing was set up before. */
  readonly isFirst?: boolean;
}

/** The form for the code of an authenticator app, or a recovery code. */
export const CodeForm = ({
  action,
  submit,
  next = null,
  errors,
  isFirst = false,
}: CodeFormProps) => (
  <>
    <ErrorSummary errors={errors} />
    <Form action={action} class="sign-in">
      {next !== null && <input type="hidden" name="next" value={next} />}
      <TextField
        name="code"
        label="Code"
        hint={
          isFirst
            ? 'The six digits that the app shows now'
            : 'The six digits that your authenticator app shows now, or one of your recovery codes'
        }
        autocomplete="one-time-code"
        error={errorOf(errors, 'code')}
      />
      <button type="submit" class="usa-button">
        {submit}
      </button>
    </Form>
  </>
);
