import type { CustomField } from '../../custom-field/state.ts';
import {
  findColumn,
  findNearestNames,
  type ImportColumn,
  listKnownNames,
  listTemplateColumns,
  type NamedColumn,
  normalizeHeader,
} from './column-names.ts';

/** Why a file of something else is not read. */
export const NO_COLUMN_MESSAGE =
  'The first row holds none of the column names of the template. Put the names in the first row, for example chart_number and mother_family_name.';

/** A column of a file that is not understood: its values are left out. */
export interface UnknownColumn {
  /** As a spreadsheet names it: A, B, … */
  readonly letter: string;
  /** As it stands in the file. */
  readonly header: string;
  /** Template names that it may have meant, the likeliest first. */
  readonly suggestions: readonly string[];
  /** Letter of the column that is read as the field which the practice chose for this one. */
  readonly takenBy?: string;
}

/** A column whose heading the template does not know, and what the practice chose it to mean. */
export interface ChosenColumn {
  readonly letter: string;
  readonly header: string;
  /** Canonical path; null: it is left out. */
  readonly path: string | null;
}

/** What the header line of a file says, or why the file cannot be read by it. */
export type HeaderReading =
  | {
      readonly kind: 'columns';
      /** One for each column of the file; null where it is not understood. */
      readonly columns: readonly (NamedColumn | null)[];
      readonly unknown: readonly UnknownColumn[];
      readonly chosen: readonly ChosenColumn[];
    }
  | FileRefusal;

/** Why a file is not read at all. */
export interface FileRefusal {
  readonly kind: 'refused';
  /** What the reason is known by: its words may change. */
  readonly id: FileRefusalId;
  readonly problem: string;
}

/** @see FileRefusal */
export type FileRefusalId =
  | 'too-many-columns'
  | 'no-known-column'
  | 'same-columns'
  | 'workbook'
  | 'workbook-protected'
  | 'workbook-unreadable'
  | 'workbook-too-large'
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
  | 'too-many-empty-rows';

/** The column of the reasons in a file of refused rows; reading such a file leaves it out. */
export const REASON_COLUMN = 'reason_refused';

/** The most columns of a file. */
export const MAX_COLUMNS = 500;
const LETTERS = 26;
const LETTER_A = 65;

/** A column as a spreadsheet names it. @param index from 0 */
export const toColumnLetter = (index: number): string =>
  (index >= LETTERS ? toColumnLetter(Math.floor(index / LETTERS) - 1) : '') +
  String.fromCharCode(LETTER_A + (index % LETTERS));

/**
 * Reads the header line: names in any case, with spaces, dots or underscores. Columns that are not
 * understood are named with what they may have meant; two columns of one meaning are refused.
 * @param remembered what headings mean at the practice, where the template does not know them
 */
export const readHeader = (
  headers: readonly string[],
  customFields: readonly CustomField[],
  remembered: readonly ImportColumn[] = [],
): HeaderReading => {
  if (headers.length > MAX_COLUMNS) return refuseTooManyColumns();
  const known = listKnownNames(customFields);
  const names = headers.map(normalizeHeader);
  const columns = toOneBased(names).map((name) => known.get(name) ?? null);
  const meanings = new Map(remembered.map(({ heading, path }) => [heading, path]));
  const isOther = (column: NamedColumn | null, index: number) =>
    column === null && !meanings.has(names[index] ?? '');
  if (columns.every(isOther) && !areHeadings(headers))
    return refuseFile('no-known-column', NO_COLUMN_MESSAGE);
  const twice = columns.findIndex(
    (column, index) =>
      column !== null && columns.findIndex((other) => other?.path === column.path) < index,
  );
  if (twice >= 0) {
    const first = columns.findIndex((other) => other?.path === columns[twice]?.path);
    return refuseFile(
      'same-columns',
      `Columns ${toColumnLetter(first)} and ${toColumnLetter(twice)} both mean ${columns[twice]?.name ?? ''}. Keep one of them.`,
    );
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
    const taken = meant === null ? -1 : columns.findIndex((one) => one?.path === meant.path);
    if (path === null || (meant !== null && taken < 0)) {
      chosen.push({ letter, header, path: meant?.path ?? null });
      columns[index] = meant;
    } else {
      const suggestions = findNearestNames(name, suggested);
      unknown.push({
        letter,
        header,
        suggestions,
        ...(taken < 0 ? {} : { takenBy: toColumnLetter(taken) }),
      });
    }
  }
  return { kind: 'columns', columns, unknown, chosen };
};

/** Fewer headings than a file of births has belong to a file of something else. */
const MIN_HEADINGS = 4;
const LETTER = /\p{L}{2}/u;
const DIGIT_FIRST = /^\s*[\d+-]/;

/** Whether a first row without any known name looks like headings all the same, which a person can say the meaning of. */
const areHeadings = (headers: readonly string[]): boolean => {
  const filled = headers.filter((header) => header.trim() !== '');
  return (
    new Set(filled.map(normalizeHeader)).size >= MIN_HEADINGS &&
    filled.every((header) => LETTER.test(header) && !DIGIT_FIRST.test(header))
  );
};

/** Refuses a file with more columns than are read. */
export const refuseTooManyColumns = (): FileRefusal =>
  refuseFile(
    'too-many-columns',
    `The file has more than ${MAX_COLUMNS} columns. Start from the template.`,
  );

/** A row that holds the names of columns once more: two files were put together. */
export type RepeatedHeader = 'same' | 'in-another-order';

/** Finds rows that hold the names of columns once more; null for all others. */
export const createRepeatedHeaderCheck = (
  headers: readonly string[],
  customFields: readonly CustomField[],
): ((cells: readonly string[]) => RepeatedHeader | null) => {
  const known = listKnownNames(customFields);
  const first = headers.map(normalizeHeader).join(' ').trim();
  return (cells) => {
    // Rows of births are known by one cell.
    const begins = normalizeHeader(cells.find((cell) => cell.trim() !== '') ?? '');
    if (!known.has(begins) && !first.startsWith(begins)) return null;
    const names = cells.map(normalizeHeader);
    if (names.join(' ').trim() === first) return 'same';
    const filled = names.filter((name) => name !== '');
    const understood = filled.filter((name) => known.has(name)).length;
    return understood >= 2 && understood * 2 >= filled.length ? 'in-another-order' : null;
  };
};

/** Why a file is not read in which a second one begins. */
export const describeOtherOrder = (row: number): string =>
  `Row ${row} holds column names in another order than the first row: two files were put together. Import each by itself.`;

/** Error of a row that holds the names of the columns. */
export const COLUMN_NAMES_AGAIN =
  'This row holds the column names again: two files were put together. Delete the row.';

/** Refuses a file. @param problem a sentence for a person, without a value of the file */
export const refuseFile = (id: FileRefusalId, problem: string): FileRefusal => ({
  kind: 'refused',
  id,
  problem,
});

const PLURAL = /^(child)ren_(\d+)_|^(transfer)s_(\d+)_/;
const SPACED = /^(child|transfer)_(\d+)_/;

/**
 * Names with numbers as the template writes them, `child1_…`. Canonical paths count from 0
 * (`children.0.sex`); a file without a number 0 in them counts from 1, as people do.
 */
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
