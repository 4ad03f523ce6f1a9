import type { ListedStaff } from '../../../../projections/lists/accounts.ts';
import { EmailField } from '../../layout/email-field.tsx';
import { Form } from '../../layout/form.tsx';
import { FormButtons } from '../../layout/form-buttons.tsx';
import { FormIdField } from '../../layout/hidden-fields.tsx';
import { NameField } from '../../parts/name-form.tsx';
import { AccountTable } from '../people/account-table.tsx';
import { OTHER_ACCOUNT_ACTIONS, type PersonAction, PersonPage } from '../people/person-page.tsx';

export const PeopleList = ({
  people,
  self,
}: {
  readonly people: readonly ListedStaff[];
  readonly self: string;
}) => (
  <AccountTable
    caption="Service staff"
    rows={people}
    listPath="/staff/people"
    getId={({ staffId }) => staffId}
    self={self}
    columns={[{ heading: 'Account', cell: ({ status }) => ACCOUNT_TEXT[status] }]}
  />
);

export const ACCOUNT_TEXT: Readonly<Record<ListedStaff['status'], string>> = {
  active: 'Active',
  removed: 'Removed',
};

export const StaffPersonPage = ({
  person,
  isSelf,
  isDormant,
}: {
  readonly person: ListedStaff;
  readonly isSelf: boolean;
  readonly isDormant: boolean;
}) => (
  <PersonPage
    person={person}
    isSelf={isSelf}
    isDormant={isDormant}
    status={{ term: 'Account', value: ACCOUNT_TEXT[person.status] }}
    path={`/staff/people/${person.staffId}`}
    actions={listActions(person.status, isSelf)}
  />
);

const listActions = (status: ListedStaff['status'], isSelf: boolean): readonly PersonAction[] => {
  if (status === 'removed') return [];
  return isSelf ? [RENAME] : [RENAME, ...OTHERS];
};

const RENAME: PersonAction = {
  name: 'name',
  text: 'Change name',
  effect: 'The name that the staff see next to everything this person does.',
};

const OTHERS: readonly PersonAction[] = [
  ...OTHER_ACCOUNT_ACTIONS,
  {
    name: 'remove',
    text: 'Remove',
    effect: 'Closes the account immediately. What this person did stays on record.',
  },
];

/** Adds a person to the service staff. */
export const PersonForm = ({
  values,
}: {
  readonly values: { readonly email: string; readonly name: string };
}) => (
  <Form action="/staff/people" values={values}>
    <p>
      The service staff set up practices and partners, and cannot see births. You will get a
      one-time password to give to the person.
    </p>
    <FormIdField />
    <EmailField />
    <NameField />
    <FormButtons submit="Add person" cancel="/staff/people" />
  </Form>
);
