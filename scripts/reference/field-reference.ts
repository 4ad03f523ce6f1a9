import { FIELDS, type Field, type FieldGroup, type FieldType } from '../../domain/course/fields.ts';
import type { Range } from '../../domain/fhir/quantities.ts';
import { breakSentences, buildHead, formatCode } from './markdown.ts';

const TITLES: Readonly<Record<FieldGroup, string>> = {
  document: 'Document',
  mother: 'Mother',
  children: 'Children',
  pregnancy: 'Pregnancy',
  'labor and birth': 'Labor and birth',
  'people and decisions': 'People and decisions',
  marks: 'Marks',
};

const ABOUT = `Events, CSV files, and exported JSON use the same field names.
\`children.\` means each child, and \`transfers.\` each transfer.
A number outside its range is left out with a warning.
\`/docs/codes\` of a running service lists the codes of each field, and \`/docs/exported-items\` its place in Bundles and the state file.
The [guide for partners](../partner.md#what-is-kept) says which fields the mask keeps.
`;

export const buildFieldReference = (): string => {
  const groups = Object.entries(TITLES).map(([group, title]) => {
    const fields = FIELDS.filter((field) => field.group === group).map(describeField);
    return `## ${title}\n\n${fields.join('\n')}\n`;
  });
  return [
    buildHead('Fields of a record', 'the field table in `domain/course/fields.ts`'),
    ABOUT,
    ...groups,
  ].join('\n');
};

const describeField = (field: Field): string =>
  `- ${breakSentences(`${formatCode(field.path)}: ${field.label} (${describeValue(field)})`, '  ')}`;

const VALUES: Readonly<Record<FieldType, string>> = {
  text: 'text',
  texts: 'texts',
  date: 'date',
  partial_date: 'date, month, or year',
  time: 'date and time',
  instant: 'UTC time',
  date_time: 'FHIR dateTime',
  integer: 'number',
  number: 'number',
  boolean: 'yes or no',
  choice: 'choice',
  code: 'code',
  codes: 'codes',
  marks: 'list',
};

const describeValue = ({ type, values, measure, range, countUnit }: Field): string => {
  if (values !== undefined) return values.join(', ');
  if (measure !== undefined) return `${formatRange(measure.range)} ${measure.unit}`;
  if (range !== undefined)
    return `${formatRange(range)}${countUnit === undefined ? '' : ` ${countUnit}s`}`;
  return VALUES[type];
};

const formatRange = ({ from, to }: Range): string => `${from}–${to}`;
