import { MAX_ROWS, MAX_ROWS_TEXT } from '../../domain/intake/csv/file-limits.ts';
import { type FileRefusal, refuseFile } from '../../domain/intake/csv/header.ts';
import type { FileRow } from '../../domain/intake/csv/row.ts';
import type { SheetOfFile } from '../../domain/submission/staged-import.ts';
import { removeCellGuard } from './write-csv.ts';

/** A file taken apart, or why it cannot be; a sentence for a person, without a value of the file. */
export type BirthsFile =
  | {
      readonly kind: 'table';
      readonly headers: readonly string[];
      /** Rows that hold anything, in their order. */
      readonly rows: readonly FileRow[];
      /** Numbers of the empty rows between them. */
      readonly emptyRows: readonly number[];
      /** Where the file is a workbook. */
      readonly sheet?: SheetOfFile;
    }
  | FileRefusal;

/** Empty rows between filled ones that are passed over. */
export const MAX_EMPTY_ROWS = 1_000;

/** Why a file is not read that has too many rows. */
export const TOO_MANY_ROWS_MESSAGE = `The file has more than ${MAX_ROWS_TEXT} rows. Split it into several files.`;

/** Why a file without column names is not read. */
export const EMPTY_FIRST_ROW_MESSAGE =
  'The first row is empty. It has to hold the column names of the template.';

/** Why a file with nothing but column names is not read. */
export const NO_ROWS_MESSAGE = 'The file holds no births: only its first row is filled.';

/** The rows of a file while they are read. */
export interface Table {
  /** @param noted what the reader of the file says of the row */
  add(cells: readonly string[], noted?: Pick<FileRow, 'problems' | 'notices'>): void;
  /** Rows that were added, empty ones too. */
  rows(): number;
  /** Whether the file has more rows than are taken. */
  isOver(): boolean;
  file(): BirthsFile;
}

/** A table without rows: the first one that is added holds the names of the columns. */
export const createTable = (): Table => {
  let headers: readonly string[] | null = null;
  let row = 0;
  const rows: FileRow[] = [];
  const emptyRows: number[] = [];
  // Empty rows count only when a filled one follows.
  let pending: number[] = [];
  return {
    isOver: () => rows.length > MAX_ROWS || emptyRows.length > MAX_EMPTY_ROWS,
    rows: () => row,
    add(cells, noted = {}) {
      row += 1;
      const isEmpty = cells.every((cell) => cell.trim() === '');
      if (headers === null) headers = cells;
      else if (!isEmpty) {
        for (const one of pending) emptyRows.push(one);
        pending = [];
        rows.push({ row, cells: cells.map(removeCellGuard), ...noted });
      } else if (pending.length <= MAX_EMPTY_ROWS) pending.push(row);
    },
    file() {
      if (headers === null || headers.every((header) => header.trim() === ''))
        return refuseFile('first-row-empty', EMPTY_FIRST_ROW_MESSAGE);
      if (rows.length === 0) return refuseFile('no-rows', NO_ROWS_MESSAGE);
      if (rows.length > MAX_ROWS) return refuseFile('too-many-rows', TOO_MANY_ROWS_MESSAGE);
      if (emptyRows.length > MAX_EMPTY_ROWS)
        return refuseFile(
          'too-many-empty-rows',
          'The file has more than 1,000 empty rows between filled ones. Remove them.',
        );
      return { kind: 'table', headers, rows, emptyRows };
    },
  };
};
