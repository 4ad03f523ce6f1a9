import {
  MAX_CELLS,
  MAX_ROWS,
  MAX_ROWS_TEXT,
  MAX_SHEET_ROWS,
} from '../../domain/mapping/csv/file-limits.ts';
import {
  type FileRefusal,
  MAX_COLUMNS,
  refuseFile,
  refuseTooManyColumns,
} from '../../domain/mapping/csv/header.ts';
import type { FileRow } from '../../domain/mapping/csv/row.ts';
import type { SheetOfFile } from '../../domain/submission/staged-import.ts';
import { removeCellGuard } from './write-csv.ts';

/** Table from a file, or a refusal with a message for the user that quotes no value of the file. */
export type BirthsFile =
  | {
      readonly kind: 'table';
      readonly headers: readonly string[];
      readonly rows: readonly FileRow[];
      readonly emptyRows: readonly number[];
      /** Present if the file is a workbook. */
      readonly sheet?: SheetOfFile;
    }
  | FileRefusal;

/** Maximum number of empty rows between filled ones. */
export const MAX_EMPTY_ROWS = 1_000;

/** Maximum number of empty rows of another length than the first row. They are slow to parse. */
const MAX_BLANK_LINES = 10_000;

export const BLANK_LINES_MESSAGE = `The file has more than ${MAX_BLANK_LINES.toLocaleString('en-US')} blank lines. Remove them.`;

export const TOO_MANY_ROWS_MESSAGE = `The file has more than ${MAX_ROWS_TEXT} rows. Split it into several files.`;

export const TOO_MANY_CELLS_MESSAGE = `The file has more than ${MAX_CELLS.toLocaleString('en-US')} filled cells. Split it into several files.`;

export const EMPTY_ROWS_AFTER_MESSAGE = `The file has more than ${MAX_SHEET_ROWS.toLocaleString('en-US')} rows, and nearly all of them are empty. Delete the empty rows.`;

export const EMPTY_FIRST_ROW_MESSAGE =
  'The first row is empty. It has to hold the column names of the template.';

export const NO_ROWS_MESSAGE = 'The file holds no births: only its first row is filled.';

export interface Table {
  add(cells: readonly string[], noted?: Pick<FileRow, 'problems' | 'notices'>): void;
  /** Number of rows added, including empty ones. */
  rows(): number;
  isOver(): boolean;
  file(): BirthsFile;
}

/** Creates an empty table. The first row added contains the column names. */
export const createTable = (): Table => {
  let headers: readonly string[] | null = null;
  let row = 0;
  let filledCells = 0;
  let blankLines = 0;
  const rows: FileRow[] = [];
  const emptyRows: number[] = [];
  // Empty rows count only if a filled one follows.
  let pending: number[] = [];
  const findRefusal = (): FileRefusal | null => {
    if (headers !== null && headers.length > MAX_COLUMNS) return refuseTooManyColumns();
    if (filledCells > MAX_CELLS) return refuseFile('too-many-cells', TOO_MANY_CELLS_MESSAGE);
    if (rows.length > MAX_ROWS) return refuseFile('too-many-rows', TOO_MANY_ROWS_MESSAGE);
    if (emptyRows.length > MAX_EMPTY_ROWS)
      return refuseFile(
        'too-many-empty-rows',
        'The file has more than 1,000 empty rows between filled ones. Remove them.',
      );
    if (blankLines > MAX_BLANK_LINES) return refuseFile('too-many-empty-rows', BLANK_LINES_MESSAGE);
    if (row > MAX_SHEET_ROWS) return refuseFile('too-many-empty-rows', EMPTY_ROWS_AFTER_MESSAGE);
    return null;
  };
  return {
    isOver: () => findRefusal() !== null,
    rows: () => row,
    add(cells, noted = {}) {
      row += 1;
      const filled = countFilled(cells);
      filledCells += filled;
      if (headers === null) headers = cells;
      else if (filled > 0) {
        for (const one of pending) emptyRows.push(one);
        pending = [];
        rows.push({ row, cells: limitCells(cells).map(removeCellGuard), ...noted });
      } else {
        if (pending.length <= MAX_EMPTY_ROWS) pending.push(row);
        if (cells.length !== headers.length) blankLines += 1;
      }
    },
    file() {
      if (headers === null || headers.every((header) => header.trim() === ''))
        return refuseFile('first-row-empty', EMPTY_FIRST_ROW_MESSAGE);
      const refusal = findRefusal();
      if (refusal !== null) return refusal;
      if (rows.length === 0) return refuseFile('no-rows', NO_ROWS_MESSAGE);
      return { kind: 'table', headers, rows, emptyRows };
    },
  };
};

const isFilled = (cell: string): boolean => cell !== '' && cell.trim() !== '';

const countFilled = (cells: readonly string[]): number => {
  let filled = 0;
  for (const cell of cells) if (isFilled(cell)) filled += 1;
  return filled;
};

/** Keeps the cells that can have a column, and one more that says that the row has too many. */
const limitCells = (cells: readonly string[]): readonly string[] => {
  if (cells.length <= MAX_COLUMNS) return cells;
  const beyond = cells.slice(MAX_COLUMNS).find(isFilled);
  return [...cells.slice(0, MAX_COLUMNS), ...(beyond === undefined ? [] : [beyond])];
};
