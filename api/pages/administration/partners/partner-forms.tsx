import type { ListedPartner } from '../../../../projections/lists/organizations.ts';
import { FormIdField, KeyFields } from '../../keys/key-fields.tsx';
import type { TypedKey } from '../../keys/key-order.ts';
import { EmptyState } from '../../layout/empty-state.tsx';
import { ErrorSummary } from '../../layout/error-summary.tsx';
import { type FieldError, findError } from '../../layout/field-errors.ts';
import { Form } from '../../layout/form.tsx';
import { FormButtons } from '../../layout/form-buttons.tsx';
import { SelectField } from '../../layout/select-field.tsx';
import { TextField } from '../../layout/text-field.tsx';

export const PartnerForm = ({
  name,
  errors,
}: {
  readonly name: string;
  readonly errors: readonly FieldError[];
}) => (
  <>
    <ErrorSummary errors={errors} />
    <p>
      A new partner is not in the beta and its contract is Pending: all its requests are refused.
    </p>
    <Form action="/staff/partners">
      <TextField name="name" label="Name" value={name} error={findError(errors, 'name')} />
      <FormButtons submit="Set up partner" cancel="/staff/partners" />
    </Form>
  </>
);

export interface PartnerKeyFormProps {
  readonly partner: ListedPartner;
  /** Practices in the beta without a live key of the partner. */
  readonly practices: readonly { readonly practiceId: string; readonly name: string }[];
  readonly practiceId: string;
  readonly typed: TypedKey;
  readonly errors: readonly FieldError[];
  readonly formId: string;
}

/** Form for a partner's key to one practice. */
export const PartnerKeyForm = (props: PartnerKeyFormProps) => {
  const { partner, practices, practiceId, typed, errors, formId } = props;
  const back = `/staff/partners/${partner.partnerId}`;
  if (practices.length === 0 && errors.length === 0)
    return (
      <EmptyState links={[{ href: back, text: `Back to ${partner.name}` }]}>
        There is no practice to mint a key for: every practice in the beta has a live key of{' '}
        {partner.name} already, or none is in the beta.
      </EmptyState>
    );
  return (
    <>
      <ErrorSummary errors={errors} />
      <Form action={`${back}/keys`}>
        <FormIdField formId={formId} />
        <SelectField
          name="practice"
          label="Practice"
          hint="Practices in the beta without a live key of this partner"
          choices={practices.map((practice) => ({
            value: practice.practiceId,
            text: practice.name,
          }))}
          value={practiceId}
          empty="Choose a practice"
          error={findError(errors, 'practice')}
        />
        <KeyFields typed={typed} errors={errors} />
        <FormButtons submit="Mint key" cancel={back} />
      </Form>
    </>
  );
};
