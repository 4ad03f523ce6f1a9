import { groupBy } from '../../../domain/group-by.ts';
import { buildInputAttributes, FieldGroup, type FieldProps } from './field-group.tsx';
import { useField } from './form-context.ts';

export interface Choice {
  readonly value: string;
  readonly text: string;
  /** Heading above the answers that have the same one. */
  readonly group?: string;
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
        {[...groupBy(offered, ({ group }) => group)].map(([group, members]) => {
          const options = members.map((choice) => (
            <option key={choice.value} value={choice.value} selected={choice.value === value}>
              {choice.text}
            </option>
          ));
          return group === undefined ? (
            options
          ) : (
            <optgroup key={group} label={group}>
              {options}
            </optgroup>
          );
        })}
      </select>
    </FieldGroup>
  );
};
