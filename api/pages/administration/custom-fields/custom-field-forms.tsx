import {
  CUSTOM_FIELD_TYPES,
  type CustomFieldType,
} from '../../../../domain/custom-field/events.ts';
import type { CustomField } from '../../../../domain/custom-field/state.ts';
import { Form } from '../../layout/form.tsx';
import { FormButtons } from '../../layout/form-buttons.tsx';
import { RadioGroup } from '../../layout/radio-group.tsx';
import { TextArea } from '../../layout/text-area.tsx';
import { TextField } from '../../layout/text-field.tsx';
import { TYPE_TEXT } from './type-text.ts';

const HOME = '/registry/custom-fields';

export interface FieldValues {
  readonly label: string;
  readonly type: CustomFieldType | null;
  /** One per line. */
  readonly choices: string;
}

export const NewFieldForm = ({ values }: { readonly values: FieldValues }) => (
  <Form action={HOME} values={values}>
    <LabelField />
    <RadioGroup
      name="type"
      label="Type"
      hint="It cannot be changed later."
      choices={CUSTOM_FIELD_TYPES.map((type) => ({ value: type, text: TYPE_TEXT[type] }))}
    />
    <TextArea
      name="choices"
      label="Answers to choose from"
      hint="One per line, at least two. Leave it empty for the other types."
    />
    <FormButtons submit="Add field" cancel={HOME} />
  </Form>
);

export const ChangeFieldForm = ({
  field,
  values,
}: {
  readonly field: CustomField;
  readonly values: FieldValues;
}) => (
  <Form action={`${HOME}/${field.fieldId}`} values={values}>
    <LabelField />
    {field.type === 'choice' && (
      <>
        <h2>Answers</h2>
        <p>Existing answers can’t be removed, because records may use them:</p>
        <ul>
          {field.choices.map((choice) => (
            <li key={choice}>{choice}</li>
          ))}
        </ul>
        <TextArea name="choices" label="More answers" hint="One per line" optional />
      </>
    )}
    <FormButtons submit="Save field" cancel={HOME} />
  </Form>
);

const LabelField = () => (
  <TextField name="label" label="Label shown on the form" hint="Such as “Pediatrician”" />
);
