import { BREAK_GLASS_SHOWN_DAYS } from '../../../../domain/account/break-glass.ts';
import { MAX_REASON_LENGTH, MIN_REASON_LENGTH } from '../../../../domain/text-input.ts';
import type { ListedPractice } from '../../../../projections/lists/organizations.ts';
import { NameField } from '../../accounts/people/name-form.tsx';
import { FormIdField } from '../../keys/key-fields.tsx';
import { CheckboxField } from '../../layout/checkbox-field.tsx';
import { EmailField } from '../../layout/email-field.tsx';
import { ErrorSummary } from '../../layout/error-summary.tsx';
import { type FieldError, findError } from '../../layout/field-errors.ts';
import { Form } from '../../layout/form.tsx';
import { FormButtons } from '../../layout/form-buttons.tsx';
import { TextArea } from '../../layout/text-area.tsx';
import { TextField } from '../../layout/text-field.tsx';

/** Form values of a new practice. */
export interface TypedPractice {
  readonly name: string;
  readonly sandbox: boolean;
  readonly beta: boolean;
}

export const PracticeForm = ({
  typed: { name, sandbox, beta },
  errors,
}: {
  readonly typed: TypedPractice;
  readonly errors: readonly FieldError[];
}) => (
  <>
    <ErrorSummary errors={errors} />
    <Form action="/staff/practices">
      <TextField name="name" label="Name" value={name} error={findError(errors, 'name')} />
      <fieldset class="usa-fieldset choices">
        <legend class="usa-legend">Initial settings</legend>
        <CheckboxField
          name="sandbox"
          label="A sandbox"
          hint="For synthetic data only. Its pages say so, and benchmarks leave it out."
          checked={sandbox}
        />
        <CheckboxField
          name="beta"
          label="In the beta"
          hint="Its Admin can mint keys."
          checked={beta}
        />
      </fieldset>
      <FormButtons submit="Set up practice" cancel="/staff/practices" />
    </Form>
  </>
);

export const RenameForm = ({
  practice: { practiceId },
  name,
  errors,
}: {
  readonly practice: ListedPractice;
  readonly name: string;
  readonly errors: readonly FieldError[];
}) => (
  <>
    <ErrorSummary errors={errors} />
    <p>Its members see the new name on every page immediately. Nothing else changes.</p>
    <Form action={`/staff/practices/${practiceId}/name`}>
      <TextField name="name" label="Name" value={name} error={findError(errors, 'name')} />
      <FormButtons submit="Rename practice" cancel={`/staff/practices/${practiceId}`} />
    </Form>
  </>
);

/** Invites an Admin of a practice. */
export const AdminForm = ({
  practice: { practiceId, name },
  breaksGlass,
  email,
  name: called,
  reason,
  errors,
  formId,
}: {
  readonly practice: ListedPractice;
  /** True if the practice lost its last Admin; it then sees why the staff invited another. */
  readonly breaksGlass: boolean;
  readonly email: string;
  /** Name of the Admin. */
  readonly name: string;
  readonly reason: string;
  readonly errors: readonly FieldError[];
  readonly formId: string;
}) => (
  <>
    <ErrorSummary errors={errors} />
    <p>
      An Admin of {name} sees its records, and invites the other members. You get a one-time
      password to give them.
    </p>
    <Form action={`/staff/practices/${practiceId}/admin`}>
      <FormIdField formId={formId} />
      <EmailField email={email} errors={errors} />
      <NameField name={called} errors={errors} />
      {breaksGlass && (
        <TextArea
          name="reason"
          label="Why are you inviting an Admin?"
          hint={`No Admin of the practice is left. Its new Admin reads this on every page for ${BREAK_GLASS_SHOWN_DAYS} days, and it stays on record. ${MIN_REASON_LENGTH} to ${MAX_REASON_LENGTH} characters.`}
          rows={3}
          maxLength={MAX_REASON_LENGTH}
          value={reason}
          error={findError(errors, 'reason')}
        />
      )}
      <FormButtons submit="Invite Admin" cancel={`/staff/practices/${practiceId}`} />
    </Form>
  </>
);
