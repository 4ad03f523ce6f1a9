import { toFieldPath } from '../../course/course-paths.ts';
import { type Field, findField } from '../../course/fields.ts';
import { MAX_CHILDREN, MAX_TRANSFERS } from '../../course/limits.ts';
import type { CustomField } from '../../custom-field/state.ts';
import { EDITABLE_FIELDS } from '../form/form-fields.ts';

// No column has so long a name, and normalizing takes a time that grows with its square.
const MAX_NAME_LENGTH = 500;

/**
 * A column's name as it is compared: lower case, anything between words is one underscore; '' for a
 * text that is too long to name a column.
 */
export const normalizeHeader = (header: string): string =>
  header.length > MAX_NAME_LENGTH
    ? ''
    : header
        .normalize('NFKC')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, '_')
        .replace(/^_+|_+$/g, '');

/** What the header line of a file calls a value, and the canonical path that it stands for. */
export interface NamedColumn {
  readonly name: string;
  /** A key of the entered values: `mother.family_name`, `children.0.sex`, `custom.<id>`. */
  readonly path: string;
}

/** Twins have columns of their own in the template; a file may add `child3_…` and so on. */
const TEMPLATE_CHILDREN = 2;
const TEMPLATE_TRANSFERS = 1;

const numbered = (holder: 'child' | 'transfer', index: number, field: Field): NamedColumn => ({
  name: `${holder}${index + 1}_${field.name}`,
  path: `${holder === 'child' ? 'children' : 'transfers'}.${index}.${field.name}`,
});

const times = (count: number, of: (index: number) => readonly NamedColumn[]) =>
  Array.from({ length: count }, (_, index) => of(index)).flat();

const fieldsOf = (holder: Field['holder']): readonly Field[] =>
  EDITABLE_FIELDS.filter((field) => field.holder === holder);

const columnsWith = (children: number, transfers: number): readonly NamedColumn[] => {
  const single = (field: Field): NamedColumn => ({
    name: field.path.replaceAll('.', '_'),
    path: field.path,
  });
  const isBefore = ({ group }: Field) => group === 'document' || group === 'mother';
  const alone = EDITABLE_FIELDS.filter(
    ({ holder }) => holder !== 'children' && holder !== 'transfers',
  );
  return [
    ...alone.filter(isBefore).map(single),
    ...times(children, (child) =>
      fieldsOf('children').map((field) => numbered('child', child, field)),
    ),
    ...alone.filter((field) => !isBefore(field)).map(single),
    ...times(transfers, (transfer) =>
      fieldsOf('transfers').map((field) => numbered('transfer', transfer, field)),
    ),
  ];
};

const shortNames = (all: readonly NamedColumn[]): readonly (readonly [string, NamedColumn])[] => {
  const byPath = new Map(all.map((column) => [column.path, column]));
  const meant = ({ path, holder, name }: Field) => {
    const column = byPath.get(holder === 'children' ? `children.0.${name}` : path);
    return column === undefined ? [] : [column];
  };
  const isSaidOnce = (field: Field) =>
    EDITABLE_FIELDS.filter(({ name }) => name === field.name).length === 1;
  const isPlain = ({ holder }: Field) => holder !== 'transfers' && holder !== 'consent';
  return [
    ...EDITABLE_FIELDS.filter((field) => isPlain(field) && isSaidOnce(field)).flatMap((field) =>
      meant(field).map((column) => [field.name, column] as const),
    ),
    ...fieldsOf('children').flatMap((field) =>
      meant(field).map((column) => [`child_${field.name}`, column] as const),
    ),
    ...fieldsOf('mother.address').flatMap((field) =>
      meant(field).map((column) => [`mother_${field.name}`, column] as const),
    ),
  ];
};

/** What the pages call a value, where they call no other one so: "Mother: date of birth". */
const wordsOfPages = (all: readonly NamedColumn[]): readonly (readonly [string, NamedColumn])[] => {
  const named = all.flatMap((column) => {
    const [, number = ''] = /^(?:child|transfer)(\d+)_/.exec(column.name) ?? [];
    const field = findField(toFieldPath(column.path));
    if (field === undefined) return [];
    const whose = HOLDERS[field.holder] ?? '';
    return [[normalizeHeader(`${whose}${number} ${field.label}`), column] as const];
  });
  return named.filter(([name]) => named.filter(([other]) => other === name).length === 1);
};

const HOLDERS: Readonly<Partial<Record<Field['holder'], string>>> = {
  mother: 'mother',
  'mother.address': 'mother',
  children: 'child',
  transfers: 'transfer',
};

const ALL_COLUMNS = columnsWith(MAX_CHILDREN, MAX_TRANSFERS);
// Later names win: those of the template stand.
const CANONICAL: ReadonlyMap<string, NamedColumn> = new Map([
  ...wordsOfPages(ALL_COLUMNS),
  ...shortNames(ALL_COLUMNS),
  ...ALL_COLUMNS.map((column) => [column.name, column] as const),
]);
const OWN_NAMES: ReadonlySet<string> = new Set(CANONICAL.keys());

/**
 * The columns of the template: one row is one birth, its mother and all her newborns, so that a row
 * of the file is an entry of the result. Values of the practice's own fields come last, by label.
 */
export const listTemplateColumns = (customFields: readonly CustomField[]): readonly NamedColumn[] =>
  listColumns(customFields, TEMPLATE_CHILDREN, TEMPLATE_TRANSFERS);

/** The same for births with up to that many children and transfers, and no fewer than the template has. */
export const listColumns = (
  customFields: readonly CustomField[],
  children: number,
  transfers: number,
): readonly NamedColumn[] => [
  ...columnsWith(Math.max(children, TEMPLATE_CHILDREN), Math.max(transfers, TEMPLATE_TRANSFERS)),
  ...customColumns(customFields, OWN_NAMES).map(({ name, path }) => ({ name, path })),
];

/**
 * Every name that a file may use, in its comparable form. A name of a child's field that no other
 * field has (`sex`) means the first child; `child_sex` does too.
 */
export const listKnownNames = (
  customFields: readonly CustomField[],
): ReadonlyMap<string, NamedColumn> =>
  new Map([
    ...customColumns(customFields, OWN_NAMES).flatMap(({ name, path, names }) =>
      names.map((one) => [one, { name, path }] as const),
    ),
    ...CANONICAL,
  ]);

/** Children that a heading can be chosen for: triplets. */
const CHOSEN_CHILDREN = 3;

/** The columns that a heading may be chosen to mean. */
export const listChoosableColumns = (
  customFields: readonly CustomField[],
): readonly NamedColumn[] => listColumns(customFields, CHOSEN_CHILDREN, TEMPLATE_TRANSFERS);

/** The column of a canonical path; null: a file may not state it, or not any more. */
export const findColumn = (
  path: string,
  customFields: readonly CustomField[],
): NamedColumn | null =>
  (path.startsWith(`${PREFIX}.`) ? customColumns(customFields, OWN_NAMES) : ALL_COLUMNS).find(
    (column) => column.path === path,
  ) ?? null;

/** The template's name of a canonical path, for a message about a value that has no column. */
export const formatColumnName = (path: string): string =>
  path
    .replace(
      /^(child|transfer)(?:ren|s)\.(\d+)/,
      (_, holder: string, index: string) => `${holder}${Number(index) + 1}`,
    )
    .replaceAll('.', '_');

/** A column of a practice's own field, and every name in comparable form that means it. */
interface CustomColumn {
  readonly name: string;
  readonly path: string;
  readonly names: readonly string[];
}

const PREFIX = 'custom';

/**
 * Columns of a practice's own fields, named by their labels; `custom <label>` where a label says
 * nothing without signs, or what another column says already. A retired field has no column.
 * @param taken names of other columns, in comparable form
 */
const customColumns = (
  customFields: readonly CustomField[],
  taken: ReadonlySet<string>,
): readonly CustomColumn[] => {
  const given = new Set(taken);
  return customFields
    .filter(({ retired }) => !retired)
    .map(({ fieldId, label }): CustomColumn => {
      const byId = normalizeHeader(`${PREFIX} ${fieldId}`);
      const [name = byId] = [label, `${PREFIX} ${label}`].filter((one) => {
        const compared = normalizeHeader(one);
        return compared !== '' && compared !== PREFIX && !given.has(compared);
      });
      const names = new Set([normalizeHeader(name), normalizeHeader(`${PREFIX} ${name}`), byId]);
      for (const one of names) given.add(one);
      return { name, path: `${PREFIX}.${fieldId}`, names: [...names] };
    });
};

/** What a heading of imported files means at a practice. */
export interface ImportColumn {
  /** In the form in which headings are compared. */
  readonly heading: string;
  /** As it stood in the file. */
  readonly label: string;
  /** Canonical path, such as `children.0.birth_date` or `custom.<id>`; null: the column is left out. */
  readonly path: string | null;
}

const NUMBER = /\d+/;
/** One typing mistake for every three characters is still taken for a mistake. */
const CHARACTERS_PER_MISTAKE = 3;
const MAX_SUGGESTIONS = 3;

/**
 * The names that an unknown one may have meant, the likeliest first: those that end with it
 * (`birth_date`), else the nearest by typing mistakes. A number in it (`child3_`) stays.
 * @param names in comparable form
 */
export const findNearestNames = (unknown: string, names: readonly string[]): readonly string[] => {
  if (unknown === '') return [];
  const longer = names.filter((name) => name.endsWith(`_${unknown}`));
  if (longer.length > 0) return longer.slice(0, MAX_SUGGESTIONS);
  const number = NUMBER.exec(unknown)?.[0];
  const typed = unknown.replace(NUMBER, '1');
  const most = Math.max(2, Math.floor(typed.length / CHARACTERS_PER_MISTAKE));
  const nearest = names
    // Each character that one has more than the other is a mistake already.
    .filter((name) => Math.abs(name.length - typed.length) <= most)
    .map((name) => ({ name, mistakes: distance(typed, name) }))
    .sort((a, b) => a.mistakes - b.mistakes)[0];
  if (nearest === undefined || nearest.mistakes > most) return [];
  return [number === undefined ? nearest.name : nearest.name.replace(NUMBER, number)];
};

/** Insertions, deletions and replacements that turn one text into the other (Levenshtein). */
const distance = (a: string, b: string): number => {
  let before = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1)
      current.push(
        Math.min(
          (before[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (before[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1),
        ),
      );
    before = current;
  }
  return before[b.length] ?? 0;
};
