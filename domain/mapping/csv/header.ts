import type { CustomField } from '../../custom-field/state.ts';
import {
  findColumn,
  findNearestNames,
  type ImportColumn,
  listKnownNames,
  listTemplateColumns,
  type NamedColumn,
  normalizeHeader,
  takeHeadingUnit,
} from './column-names.ts';

export const NO_COLUMN_MESSAGE =
  'The first row holds none of the column names of the template. Put the names in the first row, for example chart_number and mother_family_name.';

export interface UnknownColumn {
  /** Spreadsheet column: A, B, … */
  readonly letter: string;
  readonly header: string;
  readonly suggestions: readonly string[];
  /** Letter of the column that already uses the practice's mapping for this one. */
  readonly takenBy?: string;
}

export interface ChosenColumn {
  readonly letter: string;
  readonly header: string;
  /** Canonical path; null if the column is ignored. */
  readonly path: string | null;
}

export type HeaderReading =
  | {
      readonly kind: 'columns';
      /** One for each column of the file; null if unknown. */
      readonly columns: readonly (NamedColumn | null)[];
      readonly unknown: readonly UnknownColumn[];
      readonly chosen: readonly ChosenColumn[];
    }
  | FileRefusal;

export interface FileRefusal {
  readonly kind: 'refused';
  /** Stable id of the reason: the wording may change. */
  readonly id: FileRefusalId;
  readonly problem: string;
}

export type FileRefusalId =
  | 'too-many-columns'
  | 'file-too-costly'
  | 'check-failed'
  | 'no-known-column'
  | 'same-columns'
  | 'workbook'
  | 'workbook-protected'
  | 'workbook-unreadable'
  | 'workbook-too-large'
  | 'workbook-over-limit'
  | 'no-sheet'
  | 'sheet-unknown'
  | 'not-a-spreadsheet'
  | 'columns-in-another-order'
  | 'utf-16'
  | 'not-utf-8'
  | 'older-encoding'
  | 'file-too-large'
  | 'row-unreadable'
  | 'first-row-empty'
  | 'no-rows'
  | 'too-many-rows'
  | 'too-many-cells'
  | 'too-many-empty-rows';

/** Column with the reasons in a file of refused rows; ignored on import. */
export const REASON_COLUMN = 'reason_refused';

export const MAX_COLUMNS = 500;
const LETTERS = 26;
const LETTER_A = 65;

/** Spreadsheet column letter. @param index from 0 */
export const toColumnLetter = (index: number): string =>
  (index >= LETTERS ? toColumnLetter(Math.floor(index / LETTERS) - 1) : '') +
  String.fromCharCode(LETTER_A + (index % LETTERS));

/**
 * Names in any case, with spaces, dots, or underscores. Two columns with the same meaning are refused.
 */
export const readHeader = (
  headers: readonly string[],
  customFields: readonly CustomField[],
  mappings: readonly ImportColumn[] = [],
): HeaderReading => {
  if (headers.length > MAX_COLUMNS) return refuseTooManyColumns();
  const known = listKnownNames(customFields);
  const names = headers.map(normalizeHeader);
  const columns = toOneBased(names).map((name) => known.get(name) ?? null);
  const meanings = new Map(mappings.map(({ heading, path }) => [heading, path]));
  const isOther = (column: NamedColumn | null, index: number) =>
    column === null && !meanings.has(names[index] ?? '');
  if (columns.every(isOther) && !areHeadings(headers))
    return refuseFile('no-known-column', NO_COLUMN_MESSAGE);
  const places = new Map<string, number>();
  for (const [index, column] of columns.entries()) {
    if (column === null) continue;
    const first = places.get(column.path);
    if (first !== undefined)
      return refuseFile(
        'same-columns',
        `Columns ${toColumnLetter(first)} and ${toColumnLetter(index)} both mean ${column.name}. Keep one of them.`,
      );
    places.set(column.path, index);
  }
  const suggested = listTemplateColumns(customFields).map(({ name }) => normalizeHeader(name));
  const unknown: UnknownColumn[] = [];
  const chosen: ChosenColumn[] = [];
  for (const [index, text] of headers.entries()) {
    const name = names[index] ?? '';
    const header = text.trim();
    if (columns[index] !== null || header === '' || name === REASON_COLUMN) continue;
    const letter = toColumnLetter(index);
    const path = meanings.get(name);
    const meant = typeof path === 'string' ? findColumn(path, customFields) : null;
    const taken = meant === null ? undefined : places.get(meant.path);
    if (path === null || (meant !== null && taken === undefined)) {
      chosen.push({ letter, header, path: meant?.path ?? null });
      columns[index] = meant === null ? null : takeHeadingUnit(name, meant);
      if (meant !== null) places.set(meant.path, index);
    } else {
      const suggestions = findNearestNames(name, suggested);
      unknown.push({
        letter,
        header,
        suggestions,
        ...(taken === undefined ? {} : { takenBy: toColumnLetter(taken) }),
      });
    }
  }
  return { kind: 'columns', columns, unknown, chosen };
};

/** Unrelated files often have fewer headings than a file of births. */
const MIN_HEADINGS = 4;
const LETTER = /\p{L}{2}/u;
const DIGIT_FIRST = /^\s*[\d+-]/;

const areHeadings = (headers: readonly string[]): boolean => {
  const filled = headers.filter((header) => header.trim() !== '');
  return (
    new Set(filled.map(normalizeHeader)).size >= MIN_HEADINGS &&
    filled.every((header) => LETTER.test(header) && !DIGIT_FIRST.test(header))
  );
};

export const refuseTooManyColumns = (): FileRefusal =>
  refuseFile(
    'too-many-columns',
    `The file has more than ${MAX_COLUMNS} columns. Start from the template.`,
  );

/** Two files were concatenated. */
export type RepeatedHeader = 'same' | 'in-another-order';

/** Finds rows that repeat the column names; null for all others. */
export const createRepeatedHeaderCheck = (
  headers: readonly string[],
  customFields: readonly CustomField[],
): ((cells: readonly string[]) => RepeatedHeader | null) => {
  const known = listKnownNames(customFields);
  const first = headers.map(normalizeHeader).join(' ').trim();
  return (cells) => {
    // One cell is enough to recognize a row of births.
    const begins = normalizeHeader(cells.find((cell) => cell.trim() !== '') ?? '');
    if (!known.has(begins) && !first.startsWith(begins)) return null;
    const names = cells.map(normalizeHeader);
    if (names.join(' ').trim() === first) return 'same';
    const filled = names.filter((name) => name !== '');
    const understood = filled.filter((name) => known.has(name)).length;
    return understood >= 2 && understood * 2 >= filled.length ? 'in-another-order' : null;
  };
};

export const describeOtherOrder = (row: number): string =>
  `Row ${row} holds column names in another order than the first row: two files were put together. Import each by itself.`;

export const COLUMN_NAMES_AGAIN =
  'This row holds the column names again: two files were put together. Delete the row.';

/** @param problem a sentence for a person, without a value of the file */
export const refuseFile = (id: FileRefusalId, problem: string): FileRefusal => ({
  kind: 'refused',
  id,
  problem,
});

const MAX_NAMED_SHEETS = 10;

/** Lists sheets of a workbook for a sentence: `“April”, “May”`. */
export const listSheets = (names: readonly string[]): string => {
  const others = names.length > MAX_NAMED_SHEETS ? ', and more' : '';
  return `${names
    .slice(0, MAX_NAMED_SHEETS)
    .map((name) => `“${name}”`)
    .join(', ')}${others}`;
};

const WITHOUT_BIRTHS: ReadonlySet<FileRefusalId> = new Set([
  'first-row-empty',
  'no-rows',
  'no-known-column',
]);

export const nameOtherSheets = (
  refusal: FileRefusal,
  { name, names }: { readonly name: string; readonly names: readonly string[] },
): FileRefusal => {
  const others = names.filter((other) => other !== name);
  return others.length === 0 || !WITHOUT_BIRTHS.has(refusal.id)
    ? refusal
    : refuseFile(
        refusal.id,
        `${refusal.problem} Only the sheet “${name}” was read. If the births are on another one, enter its name: ${listSheets(others)}.`,
      );
};

const PLURAL = /^(child)ren_(\d+)_|^(transfer)s_(\d+)_/;
const SPACED = /^(child|transfer)_(\d+)_/;

/** Canonical paths are 0-based (`children.0.sex`); a file without a number 0 in them is 1-based. */
const toOneBased = (names: readonly string[]): readonly string[] => {
  const startsAtZero = (holder: string) => names.some((name) => name.startsWith(`${holder}_0_`));
  const added = {
    child: startsAtZero('children') ? 1 : 0,
    transfer: startsAtZero('transfers') ? 1 : 0,
  };
  return names.map((name) =>
    name
      .replace(PLURAL, (_, child, childNumber, transfer, transferNumber) =>
        child === undefined
          ? `${transfer}${Number(transferNumber) + added.transfer}_`
          : `${child}${Number(childNumber) + added.child}_`,
      )
      .replace(SPACED, '$1$2_'),
  );
};
