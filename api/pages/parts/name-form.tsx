import type { ComponentChildren } from 'preact';
import { parsePersonName, parseRequiredName } from '../../../domain/account/person-name.ts';
import { type FieldError, findError, toFieldError } from '../layout/field-errors.ts';
import { Form } from '../layout/form.tsx';
import { FormButtons } from '../layout/form-buttons.tsx';
import type { StoredValue } from '../layout/opened-values.ts';
import { TextField, type TextFieldProps } from '../layout/text-field.tsx';

/** Field for a person's name; it may stay empty unless it is the only field. */
export const NameField = ({
  field = 'name',
  name,
  errors,
  ...props
}: Partial<Pick<TextFieldProps, 'label' | 'hint' | 'optional' | 'autocomplete'>> & {
  readonly field?: string;
  readonly name?: string;
  readonly errors?: readonly FieldError[];
}) => (
  <TextField
    label="Name"
    optional
    {...props}
    name={field}
    value={name}
    error={errors && findError(errors, field)}
  />
);

export const checkName = (text: string, field = 'name'): readonly FieldError[] => {
  const name = parsePersonName(text);
  return name.kind === 'refused' ? [toFieldError(field, name)] : [];
};

export const STORED_NAME: StoredValue<{ readonly name: string }> = {
  label: 'Name',
  compare({ name: typed }) {
    const name = parsePersonName(typed);
    return name.kind === 'named' ? name.name : typed;
  },
};

export const checkNewName = (text: string): readonly FieldError[] => {
  const name = parseRequiredName(text);
  return name.kind === 'refused' ? [toFieldError('name', name)] : [];
};

/** @param children who sees the name */
export const NameForm = ({
  action,
  cancel,
  values,
  isOwn,
  children,
}: {
  readonly action: string;
  readonly cancel: string;
  readonly values: { readonly name: string };
  readonly isOwn: boolean;
  readonly children: ComponentChildren;
}) => (
  <Form action={action} values={values}>
    <p class="maxw-tablet">{children}</p>
    <NameField optional={false} autocomplete={isOwn ? 'name' : 'off'} />
    <FormButtons submit="Save name" cancel={cancel} />
  </Form>
);
