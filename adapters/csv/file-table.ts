import { MAX_ROWS, MAX_ROWS_TEXT } from '../../domain/intake/csv/file-limits.ts';
import { type FileRefusal, refuseFile } from '../../domain/intake/csv/header.ts';
import type { FileRow } from '../../domain/intake/csv/row.ts';
import type { SheetOfFile } from '../../domain/submission/staged-import.ts';
import { removeCellGuard } from './write-csv.ts';

/** Table from a file, or a refusal with a message for the user that quotes no value of the file. */
export type BirthsFile =
  | {
      readonly kind: 'table';
      readonly headers: readonly string[];
      /** Non-empty rows, in order. */
      readonly rows: readonly FileRow[];
      /** Numbers of the empty rows between them. */
      readonly emptyRows: readonly number[];
      /** Present if the file is a workbook. */
      readonly sheet?: SheetOfFile;
    }
  | FileRefusal;

/** Maximum number of empty rows between filled ones. */
export const MAX_EMPTY_ROWS = 1_000;

export const TOO_MANY_ROWS_MESSAGE = `The file has more than ${MAX_ROWS_TEXT} rows. Split it into several files.`;

export const EMPTY_FIRST_ROW_MESSAGE =
  'The first row is empty. It has to hold the column names of the template.';

export const NO_ROWS_MESSAGE = 'The file holds no births: only its first row is filled.';

/** Collects the rows of a file while it is read. */
export interface Table {
  /** @param noted notes of the reader about the row */
  add(cells: readonly string[], noted?: Pick<FileRow, 'problems' | 'notices'>): void;
  /** Number of rows added, including empty ones. */
  rows(): number;
  /** True if the file has more rows than allowed. */
  isOver(): boolean;
  file(): BirthsFile;
}

/** Creates an empty table. The first row added contains the column names. */
export const createTable = (): Table => {
  let headers: readonly string[] | null = null;
  let row = 0;
  const rows: FileRow[] = [];
  const emptyRows: number[] = [];
  // Empty rows count only if a filled one follows.
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
