import { SCOPES } from '../../../domain/api-key/events.ts';
import { FORM_ID_FIELD } from '../../web/single-use-form.ts';
import { CheckboxField } from '../layout/checkbox-field.tsx';
import { buildFieldId, type FieldError, findError } from '../layout/field-errors.ts';
import { FieldNotes } from '../layout/field-group.tsx';
import { TextField } from '../layout/text-field.tsx';
import { SCOPE_TEXT } from '../text/scope-text.ts';
import { AddressesField } from './key-addresses.tsx';
import type { TypedKey } from './key-order.ts';

/** Hidden idempotency key of a form. */
export const FormIdField = ({ formId }: { readonly formId: string }) => (
  <input type="hidden" name={FORM_ID_FIELD} value={formId} />
);

/** Name, scopes, and addresses of a new key. */
export const KeyFields = ({
  typed: { name, scopes, addresses },
  errors,
}: {
  readonly typed: TypedKey;
  readonly errors: readonly FieldError[];
}) => {
  const id = buildFieldId('scopes');
  const error = findError(errors, 'scopes');
  return (
    <>
      <TextField
        name="name"
        label="Name"
        hint="What will use it, such as the name of your EHR"
        value={name}
        error={findError(errors, 'name')}
      />
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
      <AddressesField typed={addresses} errors={errors} />
    </>
  );
};
