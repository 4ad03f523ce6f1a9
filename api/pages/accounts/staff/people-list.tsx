import type { ListedStaff } from '../../../../projections/lists/accounts.ts';
import { FormIdField } from '../../keys/key-fields.tsx';
import { DataTable } from '../../layout/data-table.tsx';
import { EmailField } from '../../layout/email-field.tsx';
import { ErrorSummary } from '../../layout/error-summary.tsx';
import type { FieldError } from '../../layout/field-errors.ts';
import { Form } from '../../layout/form.tsx';
import { FormButtons } from '../../layout/form-buttons.tsx';
import { Time } from '../../layout/time.tsx';
import { formatFactors } from '../people/factor-text.ts';
import { NameField } from '../people/name-form.tsx';
import { PersonLink } from '../people/person-link.tsx';
import { OTHER_ACCOUNT_ACTIONS, type PersonAction, PersonPage } from '../people/person-page.tsx';

/** Current and former service staff. */
export const PeopleList = ({
  people,
  self,
}: {
  readonly people: readonly ListedStaff[];
  /** Staff id of the reader. */
  readonly self: string;
}) => (
  <DataTable
    caption="Service staff"
    captionHidden
    rows={people}
    keyOf={({ staffId }) => staffId}
    columns={[
      {
        heading: 'Person',
        namesRow: true,
        cell: (person) => (
          <PersonLink
            person={person}
            href={`/staff/people/${person.staffId}`}
            isSelf={person.staffId === self}
          />
        ),
      },
      {
        heading: 'Account',
        cell: ({ status }) => ACCOUNT_WORDS[status],
      },
      {
        heading: 'Second factor',
        cell: ({ secondFactor }) => formatFactors(secondFactor),
      },
      {
        heading: 'Last sign-in',
        cell: ({ lastSignInAt }) => (lastSignInAt === null ? 'Never' : <Time at={lastSignInAt} />),
      },
    ]}
  />
);

/** Status of an account. */
export const ACCOUNT_WORDS: Readonly<Record<ListedStaff['status'], string>> = {
  active: 'Open',
  removed: 'Removed',
};

/** Page of a current or former member of the service staff. */
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
    standing={{ term: 'Account', is: ACCOUNT_WORDS[person.status] }}
    at={`/staff/people/${person.staffId}`}
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
  says: 'The name that the staff see wherever this person has done something.',
};

const OTHERS: readonly PersonAction[] = [
  ...OTHER_ACCOUNT_ACTIONS,
  {
    name: 'remove',
    text: 'Remove',
    says: 'Closes the account at once. What this person did stays on record.',
  },
];

/** Adds a person to the service staff. */
export const PersonForm = ({
  email,
  name,
  errors,
  formId,
}: {
  readonly email: string;
  readonly name: string;
  readonly errors: readonly FieldError[];
  readonly formId: string;
}) => (
  <>
    <ErrorSummary errors={errors} />
    <p>
      The service staff set up practices and partners; they see no births. You get a one-time
      password to give them.
    </p>
    <Form action="/staff/people">
      <FormIdField formId={formId} />
      <EmailField email={email} errors={errors} />
      <NameField name={name} errors={errors} />
      <FormButtons submit="Add person" cancel="/staff/people" />
    </Form>
  </>
);
