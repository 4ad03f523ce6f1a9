import { BREAK_GLASS_NOTICE_DAYS } from '../../../../domain/account/break-glass.ts';
import { MAX_REASON_LENGTH, MIN_REASON_LENGTH } from '../../../../domain/text-input.ts';
import { CheckboxField } from '../../layout/checkbox-field.tsx';
import { EmailField } from '../../layout/email-field.tsx';
import { Form } from '../../layout/form.tsx';
import { FormButtons } from '../../layout/form-buttons.tsx';
import { FormIdField } from '../../layout/hidden-fields.tsx';
import { TextArea } from '../../layout/text-area.tsx';
import { TextField } from '../../layout/text-field.tsx';
import { NameField } from '../../parts/name-form.tsx';

export interface TypedPractice {
  readonly name: string;
  readonly sandbox: boolean;
  readonly beta: boolean;
}

export const PracticeForm = ({ values }: { readonly values: TypedPractice }) => (
  <Form action="/staff/practices" values={values}>
    <TextField name="name" label="Name" />
    <fieldset class="usa-fieldset choices">
      <legend class="usa-legend">Initial settings</legend>
      <CheckboxField
        name="sandbox"
        label="A sandbox"
        hint="For synthetic data only. Its pages say so, and benchmarks leave it out."
        checked={values.sandbox}
      />
      <CheckboxField
        name="beta"
        label="In the beta"
        hint="Its Admin can mint keys."
        checked={values.beta}
      />
    </fieldset>
    <FormButtons submit="Set up practice" cancel="/staff/practices" />
  </Form>
);

export const RenameForm = ({
  at,
  values,
}: {
  readonly at: string;
  readonly values: { readonly name: string };
}) => (
  <>
    <p>Its members see the new name on every page immediately. Nothing else changes.</p>
    <Form action={`${at}/name`} values={values}>
      <TextField name="name" label="Name" />
      <FormButtons submit="Rename practice" cancel={at} />
    </Form>
  </>
);

export interface TypedAdmin {
  readonly email: string;
  readonly name: string;
  readonly reason: string;
}

export const AdminForm = ({
  at,
  practiceName,
  breaksGlass,
  values,
}: {
  readonly at: string;
  readonly practiceName: string;
  /** True if the practice lost its last Admin; it then sees why the staff invited another. */
  readonly breaksGlass: boolean;
  readonly values: TypedAdmin;
}) => (
  <>
    <p>
      An Admin of {practiceName} sees its records, and invites the other members. You get a one-time
      password to give them.
    </p>
    <Form action={`${at}/admin`} values={values}>
      <FormIdField />
      <EmailField />
      <NameField />
      {breaksGlass && (
        <TextArea
          name="reason"
          label="Why are you inviting an Admin?"
          hint={`The practice has no Admin left. The new Admin reads this on every page for ${BREAK_GLASS_NOTICE_DAYS} days, and it stays on record. ${MIN_REASON_LENGTH} to ${MAX_REASON_LENGTH} characters.`}
          rows={3}
          maxLength={MAX_REASON_LENGTH}
        />
      )}
      <FormButtons submit="Invite Admin" cancel={at} />
    </Form>
  </>
);
