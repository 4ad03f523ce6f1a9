import { buildFieldId } from './field-errors.ts';
import { buildInputAttributes, FieldNotes, type FieldProps } from './field-group.tsx';
import { useField } from './form-context.ts';

export interface CheckboxFieldProps extends FieldProps {
  readonly checked?: boolean;
  /** Posted value if checked; `yes` by default. */
  readonly value?: string;
  /** Suffix of the id if several checkboxes share a name. */
  readonly suffix?: string;
}

/** Checkbox with label, hint and error. */
export const CheckboxField = (given: CheckboxFieldProps) => {
  const { error } = useField({ name: given.name, label: given.label, error: given.error });
  const props = { ...given, error };
  const { name, label, hint, checked = false, value = 'yes', suffix = '' } = props;
  const id = `${buildFieldId(name)}${suffix}`;
  return (
    <div class={error === undefined ? 'usa-checkbox' : 'usa-checkbox usa-form-group--error'}>
      <input
        {...buildInputAttributes(props)}
        id={id}
        class="usa-checkbox__input"
        type="checkbox"
        value={value}
        checked={checked}
      />
      <label class="usa-checkbox__label" for={id}>
        {label}
      </label>
      <FieldNotes id={buildFieldId(name)} hint={hint} error={error} />
    </div>
  );
};
