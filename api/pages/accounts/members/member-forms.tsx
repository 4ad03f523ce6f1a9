import { ROLES } from '../../../../domain/roles.ts';
import { EmailField } from '../../layout/email-field.tsx';
import { Form } from '../../layout/form.tsx';
import { FormButtons } from '../../layout/form-buttons.tsx';
import { FormIdField } from '../../layout/hidden-fields.tsx';
import { RadioGroup } from '../../layout/radio-group.tsx';
import { NameField } from '../../parts/name-form.tsx';
import type { NewPerson } from '../people/accounts-router.tsx';
import { ROLE_TEXT } from './role-text.ts';

const RoleField = () => (
  <RadioGroup
    name="seat"
    label="Role"
    choices={ROLES.map((role) => ({ value: role, text: `${role}: ${ROLE_TEXT[role]}` }))}
  />
);

export const InviteForm = ({
  values: { role: seat, ...values },
}: {
  readonly values: NewPerson;
}) => (
  <Form action="/registry/members" values={{ ...values, seat }}>
    <p>You will get a one-time password to give them. No email is sent.</p>
    <FormIdField />
    <EmailField />
    <NameField hint="They can correct it when they accept." />
    <RoleField />
    <FormButtons submit="Invite member" cancel="/registry/members" />
  </Form>
);

export interface RoleInput {
  readonly seat: string;
}

export const RoleForm = ({
  path,
  values,
  isSelf,
}: {
  readonly path: string;
  readonly values: RoleInput;
  readonly isSelf: boolean;
}) => (
  <Form action={`${path}/seat`} values={values}>
    <p>
      The change takes effect immediately.
      {isSelf &&
        ' This is your own role: with a different one, you may not have access to this page.'}
    </p>
    <RoleField />
    <FormButtons submit="Change role" cancel={path} />
  </Form>
);
