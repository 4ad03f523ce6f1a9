import { SCOPES } from '../../../../domain/api-key/events.ts';
import { CheckboxField } from '../../layout/checkbox-field.tsx';
import { buildFieldId } from '../../layout/field-errors.ts';
import { FieldNotes, type FieldProps } from '../../layout/field-group.tsx';
import { useField } from '../../layout/form-context.ts';
import { TextField } from '../../layout/text-field.tsx';
import { SCOPE_TEXT } from '../../text/scope-text.ts';
import { AddressesField } from './key-addresses.tsx';
import type { TypedKey } from './key-order.ts';

export const KeyFields = ({ scopes }: Pick<TypedKey, 'scopes'>) => {
  const id = buildFieldId('scopes');
  const { error } = useField<FieldProps>({ name: 'scopes', label: 'Permissions' });
  return (
    <>
      <TextField name="name" label="Name" hint="What will use it, such as the name of your EHR" />
      <fieldset
        class={`usa-fieldset choices${error === undefined ? '' : ' usa-form-group--error'}`}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
      >
        <legend class="usa-legend">Permissions</legend>
        <FieldNotes id={id} hint={undefined} error={error} />
        {SCOPES.map((scope, index) => (
          <CheckboxField
            key={scope}
            name="scopes"
            label={SCOPE_TEXT[scope]}
            value={scope}
            suffix={index === 0 ? '' : `-${index}`}
            checked={scopes.includes(scope)}
          />
        ))}
      </fieldset>
      <AddressesField />
    </>
  );
};
