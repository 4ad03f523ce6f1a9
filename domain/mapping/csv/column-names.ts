import { toFieldPath } from '../../course/course-paths.ts';
import { type Field, findField } from '../../course/fields.ts';
import { MAX_CHILDREN, MAX_TRANSFERS } from '../../course/limits.ts';
import type { CustomField } from '../../custom-field/state.ts';
import { type Infer, nullable, object, text } from '../../schema.ts';
import { EDITABLE_FIELDS, FIELDS_BY_HOLDER } from '../form/form-fields.ts';
import { isUnitName } from '../form/parse-measures.ts';

// No column has so long a name, and the time to normalize grows with its square.
const MAX_NAME_LENGTH = 500;
// Normalizing sorts adjacent marks, which takes long for many. No language stacks more. @see UAX 15, stream-safe text
const MARKS_OF_NO_NAME = /\p{M}{31}/u;

/** Lower case, one underscore between words. Empty if the text is too long to be a column name. */
export const normalizeHeader = (header: string): string =>
  header.length > MAX_NAME_LENGTH || MARKS_OF_NO_NAME.test(header)
    ? ''
    : header
        .normalize('NFKC')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, '_')
        .replace(/^_+|_+$/g, '');

export interface NamedColumn {
  readonly name: string;
  /** Key of a form value: `mother.family_name`, `children.0.sex`, `custom.<id>`. */
  readonly path: string;
  /** Unit of its bare numbers, if its heading names one. */
  readonly unit?: string;
}

/** Twins have columns in the template; a file may add `child3_…` and so on. */
const TEMPLATE_CHILDREN = 2;
const TEMPLATE_TRANSFERS = 1;

const toNumberedColumn = (
  parent: 'child' | 'transfer',
  index: number,
  field: Field,
): NamedColumn => ({
  name: `${parent}${index + 1}_${field.name}`,
  path: `${parent === 'child' ? 'children' : 'transfers'}.${index}.${field.name}`,
});

const repeatColumns = (count: number, of: (index: number) => readonly NamedColumn[]) =>
  Array.from({ length: count }, (_, index) => of(index)).flat();

const listCanonicalColumns = (children: number, transfers: number): readonly NamedColumn[] => {
  const toColumn = (field: Field): NamedColumn => ({
    name: field.path.replaceAll('.', '_'),
    path: field.path,
  });
  const isBefore = ({ group }: Field) => group === 'document' || group === 'mother';
  const alone = EDITABLE_FIELDS.filter(
    ({ parent }) => parent !== 'children' && parent !== 'transfers',
  );
  return [
    ...alone.filter(isBefore).map(toColumn),
    ...repeatColumns(children, (child) =>
      FIELDS_BY_HOLDER.children.map((field) => toNumberedColumn('child', child, field)),
    ),
    ...alone.filter((field) => !isBefore(field)).map(toColumn),
    ...repeatColumns(transfers, (transfer) =>
      FIELDS_BY_HOLDER.transfers.map((field) => toNumberedColumn('transfer', transfer, field)),
    ),
  ];
};

const listShortNames = (
  all: readonly NamedColumn[],
): readonly (readonly [string, NamedColumn])[] => {
  const byPath = new Map(all.map((column) => [column.path, column]));
  const listMatches = ({ path, parent, name }: Field) => {
    const column = byPath.get(parent === 'children' ? `children.0.${name}` : path);
    return column === undefined ? [] : [column];
  };
  const isSaidOnce = (field: Field) =>
    EDITABLE_FIELDS.filter(({ name }) => name === field.name).length === 1;
  const isPlain = ({ parent }: Field) => parent !== 'transfers' && parent !== 'consent';
  return [
    ...EDITABLE_FIELDS.filter((field) => isPlain(field) && isSaidOnce(field)).flatMap((field) =>
      listMatches(field).map((column) => [field.name, column] as const),
    ),
    ...FIELDS_BY_HOLDER.children.flatMap((field) =>
      listMatches(field).map((column) => [`child_${field.name}`, column] as const),
    ),
    ...FIELDS_BY_HOLDER.address.flatMap((field) =>
      listMatches(field).map((column) => [`mother_${field.name}`, column] as const),
    ),
  ];
};

/** Unique page labels of values: "Mother: date of birth". */
const listPageLabels = (
  all: readonly NamedColumn[],
): readonly (readonly [string, NamedColumn])[] => {
  const named = all.flatMap((column) => {
    const [, number = ''] = /^(?:child|transfer)(\d+)_/.exec(column.name) ?? [];
    const field = findField(toFieldPath(column.path));
    if (field === undefined) return [];
    const whose = HOLDERS[field.parent] ?? '';
    return [[normalizeHeader(`${whose}${number} ${field.label}`), column] as const];
  });
  return named.filter(([name]) => named.filter(([other]) => other === name).length === 1);
};

const HOLDERS: Readonly<Partial<Record<Field['parent'], string>>> = {
  mother: 'mother',
  'mother.address': 'mother',
  children: 'child',
  transfers: 'transfer',
};

const ALL_COLUMNS = listCanonicalColumns(MAX_CHILDREN, MAX_TRANSFERS);
// Later names win: the template has precedence.
const CANONICAL: ReadonlyMap<string, NamedColumn> = new Map([
  ...listPageLabels(ALL_COLUMNS),
  ...listShortNames(ALL_COLUMNS),
  ...ALL_COLUMNS.map((column) => [column.name, column] as const),
]);
const OWN_NAMES: ReadonlySet<string> = new Set(CANONICAL.keys());

/** One row is one birth, its mother and all her newborns. Custom fields come last, by label. */
export const listTemplateColumns = (customFields: readonly CustomField[]): readonly NamedColumn[] =>
  listColumns(customFields, TEMPLATE_CHILDREN, TEMPLATE_TRANSFERS);

/** Columns for the given number of children and transfers, at least as many as in the template. */
export const listColumns = (
  customFields: readonly CustomField[],
  children: number,
  transfers: number,
): readonly NamedColumn[] => [
  ...listCanonicalColumns(
    Math.max(children, TEMPLATE_CHILDREN),
    Math.max(transfers, TEMPLATE_TRANSFERS),
  ),
  ...listCustomColumns(customFields, OWN_NAMES).map(({ name, path }) => ({ name, path })),
];

/** Normalized. `sex` and `child_sex` mean the first child. */
export const listKnownNames = (
  customFields: readonly CustomField[],
): ReadonlyMap<string, NamedColumn> =>
  new Map([
    ...listCustomColumns(customFields, OWN_NAMES).flatMap(({ name, path, names }) =>
      names.map((one) => [one, { name, path }] as const),
    ),
    ...CANONICAL,
  ]);

const CHOSEN_CHILDREN = 3;

export const listChoosableColumns = (
  customFields: readonly CustomField[],
): readonly NamedColumn[] => listColumns(customFields, CHOSEN_CHILDREN, TEMPLATE_TRANSFERS);

/** Column of a canonical path; null if files do not or no longer support it. */
export const findColumn = (
  path: string,
  customFields: readonly CustomField[],
): NamedColumn | null =>
  (path.startsWith(`${PREFIX}.`) ? listCustomColumns(customFields, OWN_NAMES) : ALL_COLUMNS).find(
    (column) => column.path === path,
  ) ?? null;

export const formatColumnName = (path: string): string =>
  path
    .replace(
      /^(child|transfer)(?:ren|s)\.(\d+)/,
      (_, holder: string, index: string) => `${holder}${Number(index) + 1}`,
    )
    .replaceAll('.', '_');

/** A chosen heading may name another unit than the column: `Weight (lb)`. */
export const takeHeadingUnit = (heading: string, column: NamedColumn): NamedColumn => {
  const measure = findField(toFieldPath(column.path))?.measure;
  if (measure === undefined) return column;
  // The last word, because "in" may be no unit: "Height in cm".
  const unit = heading.split('_').findLast((word) => isUnitName(word, measure.unit));
  return unit === undefined ? column : { ...column, unit };
};

interface CustomColumn {
  readonly name: string;
  readonly path: string;
  readonly names: readonly string[];
}

const PREFIX = 'custom';

/**
 * `custom <label>` if a label has only punctuation or is already in use. A retired field has no column.
 */
const listCustomColumns = (
  customFields: readonly CustomField[],
  taken: ReadonlySet<string>,
): readonly CustomColumn[] => {
  const given = new Set(taken);
  return customFields
    .filter(({ isRetired }) => !isRetired)
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

export type ImportColumn = Infer<typeof importColumn>;

export const importColumn = object({
  /** Normalized heading. */
  heading: text,
  label: text,
  /** Canonical path, such as `children.0.birth_date` or `custom.<id>`; null if the column is ignored. */
  path: nullable(text),
});

const NUMBER = /\d+/;
/** Tolerates one typo for every three characters. */
const CHARACTERS_PER_MISTAKE = 3;
const MAX_SUGGESTIONS = 3;

/**
 * Likeliest first: those that end with it (`birth_date`), else the nearest by edit distance. Keeps a
 * number in it (`child3_`).
 */
export const findNearestNames = (unknown: string, names: readonly string[]): readonly string[] => {
  if (unknown === '') return [];
  const longer = names.filter((name) => name.endsWith(`_${unknown}`));
  if (longer.length > 0) return longer.slice(0, MAX_SUGGESTIONS);
  const number = NUMBER.exec(unknown)?.[0];
  const target = unknown.replace(NUMBER, '1');
  let most = Math.max(2, Math.floor(target.length / CHARACTERS_PER_MISTAKE));
  let nearest: string | null = null;
  for (const name of names) {
    // The difference in length is a lower bound of the edit distance.
    if (Math.abs(name.length - target.length) > most) continue;
    const mistakes = computeDistance(target, name, most);
    if (mistakes > most) continue;
    nearest = name;
    // Of equally near names the first one counts.
    most = mistakes - 1;
  }
  if (nearest === null) return [];
  return [number === undefined ? nearest : nearest.replace(NUMBER, number)];
};

/** Levenshtein distance, or any larger number than `most` if it is larger than that. */
const computeDistance = (a: string, b: string, most: number): number => {
  let before = Uint16Array.from({ length: b.length + 1 }, (_, index) => index);
  let current = new Uint16Array(b.length + 1);
  for (let row = 1; row <= a.length; row += 1) {
    let least = row;
    current[0] = row;
    for (let column = 1; column <= b.length; column += 1) {
      const cost = Math.min(
        (before[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (before[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1),
      );
      current[column] = cost;
      if (cost < least) least = cost;
    }
    if (least > most) return least;
    [before, current] = [current, before];
  }
  return before[b.length] ?? 0;
};
