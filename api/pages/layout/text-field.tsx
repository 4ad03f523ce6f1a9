import { buildInputAttributes, FieldGroup, type FieldProps } from './field-group.tsx';
import { useField } from './form-context.ts';

export interface TextFieldProps extends FieldProps {
  readonly value?: string | undefined;
  readonly type?: 'text' | 'email' | 'password' | 'search' | 'tel' | 'date';
  readonly autocomplete?: string;
  readonly inputMode?: 'numeric' | 'decimal' | 'email' | 'tel' | 'text';
  /** Width for the expected input: a short number, a date, a name, or a full line. */
  readonly width?: 'small' | 'medium' | 'large' | 'full';
}

const WIDTHS = {
  small: 'maxw-card',
  medium: 'maxw-card-lg',
  large: 'maxw-mobile-lg',
  full: 'maxw-none',
} as const;

/** Single-line text field. It never contains a submitted password. */
export const TextField = (given: TextFieldProps) => {
  const props = useField(given);
  const { type = 'text', value = '', autocomplete = 'off', width = 'large' } = props;
  return (
    <FieldGroup field={props}>
      <input
        {...buildInputAttributes(props)}
        class={`usa-input field ${WIDTHS[width]}`}
        // The union of all input types is too large for the type checker; none of ours has a role.
        type={type as 'text'}
        value={type === 'password' ? '' : value}
        autocomplete={autocomplete}
        inputMode={props.inputMode}
      />
    </FieldGroup>
  );
};
