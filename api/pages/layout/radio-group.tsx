import { buildFieldId } from './field-errors.ts';
import { buildInputAttributes, FieldNotes, type FieldProps } from './field-group.tsx';
import { useField } from './form-context.ts';
import type { Choice } from './select-field.tsx';

export interface RadioGroupProps extends FieldProps {
  readonly choices: readonly Choice[];
  readonly value?: string | undefined;
  /** Side by side, for one-word answers. */
  readonly inline?: boolean;
}

/** Question with all its answers visible. The first answer has the field's id. */
export const RadioGroup = (given: RadioGroupProps) => {
  const props = useField(given);
  const { name, label, hint, error, optional = false, choices, value, inline = false } = props;
  const id = buildFieldId(name);
  const { 'aria-describedby': described } = buildInputAttributes(props);
  return (
    <fieldset
      class={`usa-fieldset choices${inline ? ' choices--inline' : ''}${error === undefined ? '' : ' usa-form-group--error'}`}
      aria-describedby={described}
    >
      <legend class="usa-legend">
        {label}
        {optional && <span class="usa-hint"> (optional)</span>}
      </legend>
      <FieldNotes id={id} hint={hint} error={error} />
      <div class="choices__list">
        {choices.map((choice, index) => {
          const choiceId = index === 0 ? id : `${id}-${index}`;
          return (
            <div key={choice.value} class="usa-radio">
              <input
                class="usa-radio__input"
                type="radio"
                id={choiceId}
                name={name}
                value={choice.value}
                checked={choice.value === value}
              />
              <label class="usa-radio__label" for={choiceId}>
                {choice.text}
              </label>
            </div>
          );
        })}
      </div>
    </fieldset>
  );
};
