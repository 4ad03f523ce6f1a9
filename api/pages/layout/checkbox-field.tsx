import { buildFieldId } from './field-errors.ts';
import { buildInputAttributes, FieldNotes, type FieldProps } from './field-group.tsx';
import { useField } from './form-context.ts';

export interface CheckboxFieldProps extends FieldProps {
  readonly checked?: boolean;
  /** Posted value if checked; `yes` by default. */
  readonly value?: string;
  /** Suffix of the id, and of the field of an error, if several checkboxes share a name. */
  readonly suffix?: string;
}

export const CheckboxField = (given: CheckboxFieldProps) => {
  const { name, label, hint, checked = false, value = 'yes', suffix = '' } = given;
  const ofName = useField({ name, label, error: given.error });
  const { error } = useField({ name: `${name}${suffix}`, label, error: ofName.error });
  const id = buildFieldId(`${name}${suffix}`);
  return (
    <div class={error === undefined ? 'usa-checkbox' : 'usa-checkbox usa-form-group--error'}>
      <input
        {...buildInputAttributes({ ...given, name: `${name}${suffix}`, error })}
        name={name}
        class="usa-checkbox__input"
        type="checkbox"
        value={value}
        checked={checked}
      />
      <label class="usa-checkbox__label" for={id}>
        {label}
      </label>
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  );
};
