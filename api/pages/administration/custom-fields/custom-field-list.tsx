import type { CustomField } from '../../../../domain/custom-field/state.ts';
import { type Column, DataTable } from '../../layout/data-table.tsx';
import { EmptyState } from '../../layout/empty-state.tsx';
import { Form } from '../../layout/form.tsx';
import { Section } from '../../layout/section.tsx';
import { TYPE_TEXT } from './type-text.ts';

export const NO_FIELDS =
  'No custom fields yet. Add one for what your practice wants to know about every birth.';
export const VALUES_STAY = 'Values already in records are kept and shown.';

const HOME = '/registry/custom-fields';

export const CustomFieldList = ({ fields }: { readonly fields: readonly CustomField[] }) => {
  const live = fields.filter(({ retired }) => !retired);
  const retired = fields.filter((field) => field.retired);
  return (
    <>
      <p>
        Your custom fields appear at the end of the birth form, in this order. They stay in your
        practice: EHRs neither send nor see them.
      </p>
      {live.length === 0 ? (
        <EmptyState links={[{ href: `${HOME}/new`, text: 'Add a field' }]}>{NO_FIELDS}</EmptyState>
      ) : (
        <LiveFields fields={live} />
      )}
      {retired.length > 0 && <RetiredFields fields={retired} />}
    </>
  );
};

const LiveFields = ({ fields }: { readonly fields: readonly CustomField[] }) => (
  <FieldTable
    caption="Your custom fields"
    fields={fields}
    label={({ fieldId, label }) => (
      <a id={`label-${fieldId}`} href={`${HOME}/${fieldId}`}>
        {label}
      </a>
    )}
    columns={[
      {
        heading: 'Order',
        cell: (field) => (
          <div class="row-action">
            {field !== fields[0] && <Post field={field} to="up" text="Move up" />}
            {field !== fields.at(-1) && <Post field={field} to="down" text="Move down" />}
          </div>
        ),
      },
      {
        heading: 'Change',
        cell: ({ fieldId }) => (
          <form method="get" action={`${HOME}/${fieldId}/retire`} class="row-action">
            <button
              type="submit"
              class="usa-button usa-button--outline"
              aria-describedby={`label-${fieldId}`}
            >
              Retire
            </button>
          </form>
        ),
      },
    ]}
  />
);

const RetiredFields = ({ fields }: { readonly fields: readonly CustomField[] }) => (
  <Section id="retired" heading="Retired">
    <p>Forms no longer ask for these. {VALUES_STAY}</p>
    <FieldTable
      caption="Retired fields"
      fields={fields}
      label={({ fieldId, label }) => <span id={`label-${fieldId}`}>{label}</span>}
      columns={[
        { heading: 'Change', cell: (field) => <Post field={field} to="restore" text="Restore" /> },
      ]}
    />
  </Section>
);

const FieldTable = ({
  caption,
  fields,
  label,
  columns,
}: {
  readonly caption: string;
  readonly fields: readonly CustomField[];
  readonly label: Column<CustomField>['cell'];
  readonly columns: readonly Column<CustomField>[];
}) => (
  <DataTable
    caption={caption}
    captionHidden
    rows={fields}
    keyOf={({ fieldId }) => fieldId}
    columns={[
      { heading: 'Field', namesRow: true, cell: label },
      { heading: 'Type', cell: (field) => <TypeOf field={field} /> },
      ...columns,
    ]}
  />
);

const TypeOf = ({ field: { type, choices } }: { readonly field: CustomField }) => (
  <>
    {TYPE_TEXT[type]}
    {choices.length > 0 && <span class="beneath">{choices.join(', ')}</span>}
  </>
);

const Post = ({
  field: { fieldId },
  to,
  text,
}: {
  readonly field: CustomField;
  readonly to: 'up' | 'down' | 'restore';
  readonly text: string;
}) => (
  <Form action={`${HOME}/${fieldId}/${to}`} class="row-action">
    <button
      type="submit"
      class="usa-button usa-button--outline"
      aria-describedby={`label-${fieldId}`}
    >
      {text}
    </button>
  </Form>
);
