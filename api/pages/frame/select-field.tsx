import { FieldGroup, type FieldProps, inputAttributes } from './field-group.tsx';

/** One of the answers that a field offers. */
export interface Choice {
  readonly value: string;
  readonly text: string;
}

/** A field with a list of answers. */
export interface SelectFieldProps extends FieldProps {
  readonly choices: readonly Choice[];
  readonly value?: string | undefined;
  /** Text of an answer that says nothing; there is none without it. */
  readonly empty?: string;
}

/** A field with a list of answers. For up to five of them a radio group is easier. */
export const SelectField = (props: SelectFieldProps) => {
  const { choices, value = '', empty } = props;
  const offered = empty === undefined ? choices : [{ value: '', text: empty }, ...choices];
  return (
    <FieldGroup field={props}>
      <select {...inputAttributes(props)} class="usa-select field">
        {offered.map((choice) => (
          <option key={choice.value} value={choice.value} selected={choice.value === value}>
            {choice.text}
          </option>
        ))}
      </select>
    </FieldGroup>
  );
};
