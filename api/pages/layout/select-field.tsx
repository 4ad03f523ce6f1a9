import { buildInputAttributes, FieldGroup, type FieldProps } from './field-group.tsx';
import { useField } from './form-context.ts';

export interface Choice {
  readonly value: string;
  readonly text: string;
}

export interface SelectFieldProps extends FieldProps {
  readonly choices: readonly Choice[];
  readonly value?: string | undefined;
  /** Text of the blank answer; missing if there is none. */
  readonly empty?: string;
}

/** Select field. Up to five answers are easier as a radio group. */
export const SelectField = (given: SelectFieldProps) => {
  const props = useField(given);
  const { choices, value = '', empty } = props;
  const offered = empty === undefined ? choices : [{ value: '', text: empty }, ...choices];
  return (
    <FieldGroup field={props}>
      <select {...buildInputAttributes(props)} class="usa-select field">
        {offered.map((choice) => (
          <option key={choice.value} value={choice.value} selected={choice.value === value}>
            {choice.text}
          </option>
        ))}
      </select>
    </FieldGroup>
  );
};
