import { FIELDS, type Field, type FieldGroup, type FieldType } from '../../domain/course/fields.ts';
import { EXPORTED_ELEMENTS } from '../../domain/export/bfdr/exported-elements.ts';
import { IJE_ITEMS } from '../../domain/export/ije/items.ts';
import type { Range } from '../../domain/fhir/quantities.ts';
import { buildHead, buildTable, formatCode, listCodes } from './markdown.ts';

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
BFDR is the element of a Bundle, and IJE the columns of the state file.
A number outside its range is left out with a warning.
\`/docs/codes\` of a running service lists the codes of each field.
The [guide for partners](../partner.md#what-is-kept) says which fields the mask keeps.
`;

const NONE = '–';

/** Builds the reference of fields from the field table and the tables of both exports. */
export const buildFieldReference = (): string => {
  const groups = Object.entries(TITLES).map(([group, title]) => {
    const rows = FIELDS.filter((field) => field.group === group).map((field) => [
      formatCode(field.path),
      field.label,
      describeValue(field),
      EXPORTED_ELEMENTS.find(({ path }) => path === field.path)?.element ?? NONE,
      listColumns(field) || NONE,
    ]);
    return `## ${title}\n\n${buildTable(['field', 'label', 'value', 'BFDR', 'IJE'], rows)}\n`;
  });
  return [
    buildHead('Fields of a record', 'the field table in `domain/course/fields.ts`'),
    ABOUT,
    ...groups,
  ].join('\n');
};

const VALUES: Readonly<Record<FieldType, string>> = {
  text: 'text',
  texts: 'texts',
  date: 'date',
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

const listColumns = (field: Field): string => {
  const names = IJE_ITEMS.filter(({ reads }) => reads.includes(field.path)).map(({ name }) => name);
  return listCodes(joinRuns(names));
};

/** Shortens columns that are numbered without a gap: `MRACE1…MRACE15`. */
const joinRuns = (names: readonly string[]): readonly string[] => {
  const runs: string[][] = [];
  for (const name of names) {
    const run = runs.at(-1);
    if (run !== undefined && isNext(run.at(-1) ?? '', name)) run.push(name);
    else runs.push([name]);
  }
  return runs.flatMap((run) => (run.length < 4 ? run : [`${run[0]}…${run.at(-1)}`]));
};

const isNext = (before: string, name: string): boolean => {
  const [, stem, number] = /^(\D+)(\d+)$/.exec(before) ?? [];
  return name === `${stem}${Number(number) + 1}`;
};
