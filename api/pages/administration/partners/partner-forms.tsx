import type { ListedPartner } from '../../../../projections/lists/organizations.ts';
import { EmptyState } from '../../layout/empty-state.tsx';
import { Form } from '../../layout/form.tsx';
import { FormButtons } from '../../layout/form-buttons.tsx';
import { FormIdField } from '../../layout/hidden-fields.tsx';
import { SelectField } from '../../layout/select-field.tsx';
import { TextField } from '../../layout/text-field.tsx';
import { KeyFields } from '../../parts/keys/key-fields.tsx';
import type { TypedKey } from '../../parts/keys/key-order.ts';

export const PartnerForm = ({ values }: { readonly values: { readonly name: string } }) => (
  <>
    <p>
      A new partner is not in the beta and its contract is Pending: all its requests are refused.
    </p>
    <Form action="/staff/partners" values={values}>
      <TextField name="name" label="Name" />
      <FormButtons submit="Set up partner" cancel="/staff/partners" />
    </Form>
  </>
);

export interface TypedPartnerKey extends TypedKey {
  readonly practice: string;
}

export const PartnerKeyForm = ({
  partner: { partnerId, name },
  practices,
  values,
}: {
  readonly partner: ListedPartner;
  /** Practices in the beta without a live key of the partner. */
  readonly practices: readonly { readonly practiceId: string; readonly name: string }[];
  readonly values: TypedPartnerKey;
}) => {
  const back = `/staff/partners/${partnerId}`;
  if (practices.length === 0 && values.practice === '')
    return (
      <EmptyState links={[{ href: back, text: `Back to ${name}` }]}>
        There is no practice to mint a key for. Either no practice is in the beta, or all of them
        already have a live key of {name}.
      </EmptyState>
    );
  return (
    <Form action={`${back}/keys`} values={values}>
      <FormIdField />
      <SelectField
        name="practice"
        label="Practice"
        hint="Practices in the beta without a live key of this partner"
        choices={practices.map((practice) => ({
          value: practice.practiceId,
          text: practice.name,
        }))}
        empty="Choose a practice"
      />
      <KeyFields scopes={values.scopes} />
      <FormButtons submit="Mint key" cancel={back} />
    </Form>
  );
};
