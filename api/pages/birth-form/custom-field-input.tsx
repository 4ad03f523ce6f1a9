import type { CustomField } from '../../../domain/custom-field/state.ts';
import { SelectField } from '../frame/select-field.tsx';
import { TextField } from '../frame/text-field.tsx';
import { FieldFrame } from './birth-field.tsx';
import { type FormLook, saidAbout } from './form-look.ts';

/** A field of the practice's own. */
export const CustomFieldInput = ({
  field,
  look,
}: {
  readonly field: CustomField;
  readonly look: FormLook;
}) => {
  const name = `custom.${field.fieldId}`;
  const value = look.values[name] ?? '';
  const said = { name, value, label: field.label, error: saidAbout(look.errors, name) };
  return (
    <FieldFrame name={name} look={look} isEchoed={false}>
      {field.type === 'choice' ? (
        <SelectField
          {...said}
          choices={field.choices.map((choice) => ({ value: choice, text: choice }))}
          empty="Not known"
        />
      ) : (
        <TextField
          {...said}
          hint={field.type === 'date' ? '5/12/2026, or May 12, 2026' : undefined}
          {...(field.type === 'number' ? { inputMode: 'decimal' as const } : {})}
          width={field.type === 'text' ? 'large' : 'medium'}
        />
      )}
    </FieldFrame>
  );
};
