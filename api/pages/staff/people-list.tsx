import type { ListedStaff } from '../../../projections/staff.ts';
import { DataTable } from '../frame/data-table.tsx';
import { EmailField } from '../frame/email-field.tsx';
import { ErrorSummary } from '../frame/error-summary.tsx';
import type { FieldError } from '../frame/field-errors.ts';
import { Form } from '../frame/form.tsx';
import { FormButtons } from '../frame/form-buttons.tsx';
import { Time } from '../frame/time.tsx';
import { FormIdField } from '../keys/key-fields.tsx';
import { Ask } from '../people/ask.tsx';

/** Who is, or was, of the service staff. */
export const PeopleList = ({
  people,
  self,
}: {
  readonly people: readonly ListedStaff[];
  /** Id of the reader. */
  readonly self: string;
}) => (
  <DataTable
    caption="Service staff"
    captionHidden
    rows={people}
    keyOf={({ staffId }) => staffId}
    columns={[
      {
        heading: 'Email',
        namesRow: true,
        cell: ({ staffId, email }) => (
          <span id={`person-${staffId}`}>
            {email}
            {staffId === self && <strong> (you)</strong>}
          </span>
        ),
      },
      {
        heading: 'Account',
        cell: ({ status }) => (status === 'active' ? 'Open' : 'Removed'),
      },
      {
        heading: 'Second factor',
        cell: ({ secondFactor }) => (secondFactor.length === 0 ? 'None' : 'App'),
      },
      {
        heading: 'Last sign-in',
        cell: ({ lastSignInAt }) => (lastSignInAt === null ? 'Never' : <Time at={lastSignInAt} />),
      },
      {
        heading: 'Change',
        cell: ({ staffId, status }) => (
          <div class="row-action">
            {status === 'active' &&
              staffId !== self &&
              ACTIONS.map(([action, text]) => (
                <Ask
                  key={action}
                  action={`/staff/people/${staffId}/${action}`}
                  about={`person-${staffId}`}
                >
                  {text}
                </Ask>
              ))}
          </div>
        ),
      },
    ]}
  />
);

const ACTIONS = [
  ['password', 'New password'],
  ['sign-out', 'Sign out'],
  ['remove', 'Remove'],
] as const;

/** The form that adds a person to the service staff. */
export const PersonForm = ({
  email,
  errors,
  formId,
}: {
  readonly email: string;
  readonly errors: readonly FieldError[];
  readonly formId: string;
}) => (
  <>
    <ErrorSummary errors={errors} />
    <p>
      The service staff set up practices and partners; they see no births. You get a one-time
      password to hand over.
    </p>
    <Form action="/staff/people">
      <FormIdField formId={formId} />
      <EmailField email={email} errors={errors} />
      <FormButtons submit="Add person" cancel="/staff/people" />
    </Form>
  </>
);
