import { ROLES, type Role } from '../../../../domain/roles.ts';
import type { ListedMember } from '../../../../projections/lists/accounts.ts';
import { FormIdField } from '../../keys/key-fields.tsx';
import { EmailField } from '../../layout/email-field.tsx';
import { ErrorSummary } from '../../layout/error-summary.tsx';
import { type FieldError, findError } from '../../layout/field-errors.ts';
import { Form } from '../../layout/form.tsx';
import { FormButtons } from '../../layout/form-buttons.tsx';
import { RadioGroup } from '../../layout/radio-group.tsx';
import { NameField } from '../people/name-form.tsx';
import { ROLE_TEXT } from './role-text.ts';

const ROLE_CHOICES = ROLES.map((role) => ({ value: role, text: `${role}: ${ROLE_TEXT[role]}` }));

export interface InviteFormProps {
  readonly email: string;
  readonly name: string;
  readonly role: Role | null;
  readonly errors: readonly FieldError[];
  readonly formId: string;
}

export const InviteForm = ({ email, name, role, errors, formId }: InviteFormProps) => (
  <>
    <ErrorSummary errors={errors} />
    <p>You get a one-time password to give them. No email is sent.</p>
    <Form action="/registry/members">
      <FormIdField formId={formId} />
      <EmailField email={email} errors={errors} />
      <NameField hint="They can correct it when they accept." name={name} errors={errors} />
      <RadioGroup
        name="seat"
        label="Seat"
        choices={ROLE_CHOICES}
        value={role ?? undefined}
        error={findError(errors, 'seat')}
      />
      <FormButtons submit="Invite member" cancel="/registry/members" />
    </Form>
  </>
);

export interface RoleFormProps {
  readonly member: ListedMember;
  readonly isSelf: boolean;
  readonly errors: readonly FieldError[];
}

/** Changes a member's seat. */
export const RoleForm = ({ member: { memberId, role }, isSelf, errors }: RoleFormProps) => (
  <>
    <ErrorSummary errors={errors} />
    <p>
      The new seat is in force at once, in every browser that is signed in.
      {isSelf && ' This is your own seat: with another one you may not come back to this page.'}
    </p>
    <Form action={`/registry/members/${memberId}/seat`}>
      <RadioGroup
        name="seat"
        label="Seat"
        choices={ROLE_CHOICES}
        value={role}
        error={findError(errors, 'seat')}
      />
      <FormButtons submit="Change seat" cancel={`/registry/members/${memberId}`} />
    </Form>
  </>
);
