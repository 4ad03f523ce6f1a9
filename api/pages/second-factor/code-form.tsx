import { type FieldError, findError } from '../layout/field-errors.ts';
import { Form } from '../layout/form.tsx';
import { type HiddenField, HiddenFieldList } from '../layout/hidden-fields.tsx';
import { TextField } from '../layout/text-field.tsx';

export interface CodeFormProps {
  readonly action: string;
  readonly submit: string;
  readonly hint: string;
  /** Fields to pass on after a correct code. */
  readonly hiddenFields?: readonly HiddenField[];
  readonly errors: readonly FieldError[];
  /** True if another form on the page is the main one. */
  readonly isSecond?: boolean;
}

export const CodeForm = ({
  action,
  submit,
  hint,
  hiddenFields = [],
  errors,
  isSecond = false,
}: CodeFormProps) => (
  <Form action={action} class="sign-in">
    <HiddenFieldList fields={hiddenFields} />
    <TextField
      name="code"
      label="Code"
      hint={hint}
      autocomplete="one-time-code"
      error={findError(errors, 'code')}
    />
    <button type="submit" class={isSecond ? 'usa-button usa-button--outline' : 'usa-button'}>
      {submit}
    </button>
  </Form>
);
