import type { Field } from '../../../domain/course/fields.ts';
import type { CustomField } from '../../../domain/custom-field/state.ts';
import type { ImportColumn } from '../../../domain/mapping/csv/column-names.ts';
import {
  findColumn,
  listTemplateColumns,
  type NamedColumn,
} from '../../../domain/mapping/csv/column-names.ts';
import { EDITABLE_FIELDS } from '../../../domain/mapping/form/form-fields.ts';
import { DataTable } from '../layout/data-table.tsx';
import { Form } from '../layout/form.tsx';
import { Section } from '../layout/section.tsx';
import { listChoices } from '../parts/birth-form/form/form-layout.ts';
import { buildFullLabel, parseValuePlace } from '../text/field-labels.ts';
import { ColumnName } from './column-name.tsx';
import { formatField } from './columns-form.tsx';
import { IMPORT_PATH } from './file-form.tsx';

interface ExplainedColumn {
  readonly name: string;
  readonly meaning: string;
  readonly takes: string;
}

/** A longer list would bury the table; the birth form lists them all. */
const MAX_ANSWERS = 12;
const CHILDREN_IN_TEMPLATE = 2;
const CUSTOM = 'custom.';

export const ColumnsPage = ({
  customFields,
  remembered,
}: {
  readonly customFields: readonly CustomField[];
  readonly remembered: readonly ImportColumn[];
}) => (
  <>
    <p>
      Each row needs only a place of birth and one newborn; everything else can be blank. A row with
      a chart number that you already have amends that record. Column names can be in any case, with
      spaces instead of underscores, or as the fields are named on the form. For triplets, add
      columns that begin with <code>child3_</code>, for more transfers <code>transfer2_</code>.
    </p>
    {remembered.length > 0 && <Remembered remembered={remembered} customFields={customFields} />}
    <DataTable
      caption="Columns of the template"
      captionHidden
      rows={listTemplateColumns(customFields).map((column) => explainColumn(column, customFields))}
      keyOf={({ name }) => name}
      columns={[
        { heading: 'Column', namesRow: true, cell: ({ name }) => <ColumnName name={name} /> },
        { heading: 'Description', cell: ({ meaning }) => meaning },
        { heading: 'Accepted values', cell: ({ takes }) => takes },
      ]}
    />
  </>
);

export const HEADING_FIELD = 'heading';

export const REMEMBERED_TITLE = 'Column headings your practice has matched';

const Remembered = ({
  customFields,
  remembered,
}: {
  readonly customFields: readonly CustomField[];
  readonly remembered: readonly ImportColumn[];
}) => (
  <Section id="remembered" heading={REMEMBERED_TITLE}>
    <p>
      We read these headings the way your practice chose. To change one, remove it here, and the
      next file with it will ask again.
    </p>
    <DataTable
      caption="Headings and their fields"
      captionHidden
      rows={remembered}
      keyOf={({ heading }) => heading}
      columns={[
        { heading: 'Heading', namesRow: true, cell: ({ label }) => label },
        { heading: 'Field', cell: ({ path }) => describeMeaning(path, customFields) },
        {
          heading: 'Change',
          cell: ({ label }) => (
            <Form action={`${IMPORT_PATH}/columns/forget`}>
              <input type="hidden" name={HEADING_FIELD} value={label} />
              <button type="submit" class="usa-button usa-button--outline">
                Remove<span class="usa-sr-only">: {label}</span>
              </button>
            </Form>
          ),
        },
      ]}
    />
  </Section>
);

const describeMeaning = (path: string | null, customFields: readonly CustomField[]): string => {
  if (path === null) return 'Left out';
  const column = findColumn(path, customFields);
  return column === null ? 'A retired field' : formatField(column, customFields);
};

const explainColumn = (
  { name, path }: NamedColumn,
  customFields: readonly CustomField[],
): ExplainedColumn => {
  if (path.startsWith(CUSTOM)) {
    const own = customFields.find(({ fieldId }) => path === `${CUSTOM}${fieldId}`);
    return { name, meaning: 'A field of your practice', takes: own ? describeOwnValues(own) : '' };
  }
  const place = parseValuePlace(path);
  const field = EDITABLE_FIELDS.find((one) => one.path === place?.field);
  return {
    name,
    meaning: place === null ? name : buildFullLabel(place, CHILDREN_IN_TEMPLATE),
    takes: field === undefined ? '' : describeValues(field),
  };
};

const describeOwnValues = ({ type, choices }: CustomField): string => {
  switch (type) {
    case 'text':
      return 'Text';
    case 'number':
      return 'A number';
    case 'date':
      return 'A date: 5/12/2026 or 2026-05-12';
    case 'choice':
      return choices.join(', ');
  }
};

const FORMS: Readonly<Record<string, string>> = {
  'consent.granted':
    'yes or no, in every row. Without this column, you are asked once for the whole file',
  'mother.phone': '10 digits, such as 503-555-0142, or + and a country code',
  'mother.address.state': 'A two-letter code or a name: OR, Oregon',
  'children.birth_time':
    'Local time: 2:05 pm or 14:05. On the night the clocks go back: 1:30 am first, 1:30 am EST or 2026-11-01T01:30-05:00',
  'children.birth_weight_grams': 'Grams, or with a unit: 3400, 7 lb 8 oz',
  'children.gestational_age_weeks': 'Weeks, with days if known: 39, 39w4d or 39 4/7',
  'children.gestational_age_days': 'Days beyond whole weeks, 0 to 6',
  'mother.height_cm': 'Centimeters, or with a unit: 165, 5 ft 5 in',
  'mother.prepregnancy_weight_kg': 'Kilograms, or with a unit: 68, 150 lb',
  'mother.delivery_weight_kg': 'Kilograms, or with a unit: 81, 178 lb',
};

const describeValues = (field: Field): string => {
  const known = FORMS[field.path];
  if (known !== undefined) return known;
  switch (field.type) {
    case 'texts':
      return field.maxTexts === undefined
        ? 'One or more names'
        : 'One or two names; separate them with a semicolon';
    case 'date':
      return 'A date: 5/12/2026 or 2026-05-12';
    case 'partial_date':
      return 'A date, or its month or year: 5/12/2026, 5/2026, or 2026';
    case 'date_time':
    case 'instant':
    case 'time':
      return 'A date, with a time if known: 5/12/2026 2:05 pm';
    case 'integer':
    case 'number':
      return 'A number';
    case 'boolean':
      return 'yes or no';
    case 'choice':
    case 'code':
      return listAnswers(field);
    case 'codes':
      return `${listAnswers(field)}; separate several with semicolons`;
    case 'text':
    case 'marks':
      return 'Text';
  }
};

const listAnswers = (field: Field): string => {
  const answers = listChoices(field, '').map(({ text }) => text);
  return answers.length > MAX_ANSWERS
    ? `${answers.slice(0, MAX_ANSWERS).join('; ')}; and more, as listed on the birth form`
    : answers.join('; ');
};
