import { FieldGroup, type FieldProps, inputAttributes } from './field-group.tsx';

/** A field for one line of text. */
export interface TextFieldProps extends FieldProps {
  readonly value?: string | undefined;
  readonly type?: 'text' | 'email' | 'password' | 'search' | 'tel' | 'date';
  readonly autocomplete?: string;
  readonly inputMode?: 'numeric' | 'decimal' | 'email' | 'tel' | 'text';
  /** Width by what is typed: a short number, a date, a name, or the whole line. */
  readonly width?: 'small' | 'medium' | 'large' | 'full';
}

/** A field for one line of text. A password is never written back. */
export const TextField = (props: TextFieldProps) => {
  const { type = 'text', value = '', autocomplete = 'off', width = 'large' } = props;
  return (
    <FieldGroup field={props}>
      <input
        {...inputAttributes(props)}
        class={`usa-input field field--${width}`}
        // The types of all inputs at once are more than the checker joins; none has a role here.
        type={type as 'text'}
        value={type === 'password' ? '' : value}
        autocomplete={autocomplete}
        inputMode={props.inputMode}
      />
    </FieldGroup>
  );
};
