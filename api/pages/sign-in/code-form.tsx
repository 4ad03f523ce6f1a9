import { errorOf, type FieldError } from '../frame/field-errors.ts';
import { Form } from '../frame/form.tsx';
import { type KeptField, KeptFields } from '../frame/kept-fields.tsx';
import { TextField } from '../frame/text-field.tsx';

/** What the form for a code shows. */
export interface CodeFormProps {
  readonly action: string;
  readonly submit: string;
  /** Which codes are taken. */
  readonly hint: string;
  /** What is to be known once the code was right. */
  readonly kept?: readonly KeptField[];
  readonly errors: readonly FieldError[];
  /** Something else on the page comes first. */
  readonly isSecond?: boolean;
}

/** The form for the code of an authenticator app, or a recovery code. */
export const CodeForm = ({
  action,
  submit,
  hint,
  kept = [],
  errors,
  isSecond = false,
}: CodeFormProps) => (
  <Form action={action} class="sign-in">
    <KeptFields fields={kept} />
    <TextField
      name="code"
      label="Code"
      hint={hint}
      autocomplete="one-time-code"
      error={errorOf(errors, 'code')}
    />
    <button type="submit" class={isSecond ? 'usa-button usa-button--outline' : 'usa-button'}>
      {submit}
    </button>
  </Form>
);
