import type { ComponentChildren } from 'preact';
import { parsePersonName, parseRequiredName } from '../../../../domain/account/person-name.ts';
import { ErrorSummary } from '../../layout/error-summary.tsx';
import { type FieldError, findError, toFieldError } from '../../layout/field-errors.ts';
import { Form } from '../../layout/form.tsx';
import { FormButtons } from '../../layout/form-buttons.tsx';
import { TextField } from '../../layout/text-field.tsx';

/** Field for a person's name; it may stay empty unless it is the only field. */
export const NameField = ({
  field = 'name',
  label = 'Name',
  hint,
  name,
  errors,
  optional = true,
  autocomplete = 'off',
}: {
  readonly field?: string;
  readonly label?: string;
  readonly hint?: string;
  readonly name: string;
  readonly errors: readonly FieldError[];
  readonly optional?: boolean;
  /** `name` if people type their own. */
  readonly autocomplete?: string;
}) => (
  <TextField
    name={field}
    label={label}
    hint={hint}
    value={name}
    optional={optional}
    autocomplete={autocomplete}
    error={findError(errors, field)}
  />
);

/**
 * Errors in an optional name.
 * @param field name of the form field
 */
export const checkName = (typed: string, field = 'name'): readonly FieldError[] => {
  const read = parsePersonName(typed);
  return read.kind === 'refused' ? [toFieldError(field, read)] : [];
};

/** Errors in a required name. */
export const checkNewName = (typed: string): readonly FieldError[] => {
  const read = parseRequiredName(typed);
  return read.kind === 'refused' ? [toFieldError('name', read)] : [];
};

export interface NameFormProps {
  readonly action: string;
  readonly cancel: string;
  readonly name: string;
  readonly errors: readonly FieldError[];
  readonly isOwn: boolean;
  /** States who sees the name. */
  readonly children: ComponentChildren;
}

/** Changes a person's name. */
export const NameForm = ({ action, cancel, name, errors, isOwn, children }: NameFormProps) => (
  <>
    <ErrorSummary errors={errors} />
    <p class="maxw-tablet">{children}</p>
    <Form action={action}>
      <NameField
        name={name}
        errors={errors}
        optional={false}
        autocomplete={isOwn ? 'name' : 'off'}
      />
      <FormButtons submit="Save name" cancel={cancel} />
    </Form>
  </>
);
