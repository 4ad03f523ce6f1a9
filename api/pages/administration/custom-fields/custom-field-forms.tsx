import {
  CUSTOM_FIELD_TYPES,
  type CustomFieldType,
} from '../../../../domain/custom-field/events.ts';
import type { CustomField } from '../../../../domain/custom-field/state.ts';
import { ErrorSummary } from '../../layout/error-summary.tsx';
import { type FieldError, findError } from '../../layout/field-errors.ts';
import { Form } from '../../layout/form.tsx';
import { RadioGroup } from '../../layout/radio-group.tsx';
import { TextArea } from '../../layout/text-area.tsx';
import { TextField } from '../../layout/text-field.tsx';
import { TYPE_WORDS } from './type-text.ts';

const HOME = '/registry/custom-fields';

/** Typed values of a field. */
export interface TypedField {
  readonly label: string;
  readonly type: CustomFieldType | null;
  /** One per line, as typed. */
  readonly choices: string;
}

export interface NewFieldFormProps {
  readonly typed: TypedField;
  readonly errors: readonly FieldError[];
}

export const NewFieldForm = ({ typed, errors }: NewFieldFormProps) => (
  <>
    <ErrorSummary errors={errors} />
    <Form action={HOME}>
      <LabelField label={typed.label} errors={errors} />
      <RadioGroup
        name="type"
        label="Type"
        hint="It cannot be changed later."
        choices={CUSTOM_FIELD_TYPES.map((type) => ({ value: type, text: TYPE_WORDS[type] }))}
        value={typed.type ?? undefined}
        error={findError(errors, 'type')}
      />
      <TextArea
        name="choices"
        label="Answers of a choice"
        hint="One in a line, two at least. Leave it empty for the other types."
        value={typed.choices}
        error={findError(errors, 'choices')}
      />
      <Buttons>Add field</Buttons>
    </Form>
  </>
);

export interface ChangeFieldFormProps extends NewFieldFormProps {
  readonly field: CustomField;
}

/** Form that renames a field and adds answers to a choice. */
export const ChangeFieldForm = ({ field, typed, errors }: ChangeFieldFormProps) => (
  <>
    <ErrorSummary errors={errors} />
    <Form action={`${HOME}/${field.fieldId}`}>
      <LabelField label={typed.label} errors={errors} />
      {field.type === 'choice' && (
        <>
          <h2>Answers</h2>
          <p>Those there are stay, because records may hold them:</p>
          <ul>
            {field.choices.map((choice) => (
              <li key={choice}>{choice}</li>
            ))}
          </ul>
          <TextArea
            name="choices"
            label="More answers"
            hint="One in a line"
            optional
            value={typed.choices}
            error={findError(errors, 'choices')}
          />
        </>
      )}
      <Buttons>Save field</Buttons>
    </Form>
  </>
);

const LabelField = ({
  label,
  errors,
}: {
  readonly label: string;
  readonly errors: readonly FieldError[];
}) => (
  <TextField
    name="label"
    label="Label"
    hint="As the form asks for it, such as “Pediatrician”"
    value={label}
    error={findError(errors, 'label')}
  />
);

const Buttons = ({ children }: { readonly children: string }) => (
  <div class="buttons">
    <button type="submit" class="usa-button">
      {children}
    </button>
    <a class="usa-button usa-button--unstyled" href={HOME}>
      Cancel
    </a>
  </div>
);
