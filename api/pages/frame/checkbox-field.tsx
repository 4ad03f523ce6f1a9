import { fieldId } from './field-errors.ts';
import { FieldNotes, type FieldProps, inputAttributes } from './field-group.tsx';

/** A field that is said or not said. */
export interface CheckboxFieldProps extends FieldProps {
  readonly checked?: boolean;
  /** What the form sends when it is said; `yes` unless another is given. */
  readonly value?: string;
  /** Ends the id where several boxes share a name. */
  readonly suffix?: string;
}

/** A field that is said or not said. */
export const CheckboxField = (props: CheckboxFieldProps) => {
  const { name, label, hint, error, checked = false, value = 'yes', suffix = '' } = props;
  const id = `${fieldId(name)}${suffix}`;
  return (
    <div class={error === undefined ? 'usa-checkbox' : 'usa-checkbox usa-form-group--error'}>
      <input
        {...inputAttributes(props)}
        id={id}
        class="usa-checkbox__input"
        type="checkbox"
        value={value}
        checked={checked}
      />
      <label class="usa-checkbox__label" for={id}>
        {label}
      </label>
      <FieldNotes id={fieldId(name)} hint={hint} error={error} />
    </div>
  );
};
