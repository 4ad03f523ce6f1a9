import { MAX_FILE_BYTES, MAX_SHEET_ROWS } from '../../domain/mapping/csv/file-limits.ts';
import { MAX_COLUMNS, toColumnLetter } from '../../domain/mapping/csv/header.ts';
import {
  type FileProblem,
  type FileRow,
  MAX_MESSAGES,
  type RowMessage,
} from '../../domain/mapping/csv/row.ts';
import { MAX_EMPTY_ROWS, type Table } from '../csv/file-table.ts';
import {
  appendCellText,
  type FindFormat,
  type FindText,
  isTrue,
  unescapeCellText,
  type Workbook,
  type WorkbookSheet,
} from './workbook.ts';
import { WorkbookOverLimit, type WorkbookParts } from './workbook-parts.ts';

export interface SheetContext {
  readonly workbook: Workbook;
  readonly findFormat: FindFormat;
  readonly findText: FindText;
}

export interface MergedCells {
  /** Range in the sheet's notation: `A2:A3`. */
  readonly range: string;
  readonly firstRow: number;
  readonly lastRow: number;
}

export type SheetReading =
  | { readonly kind: 'read'; readonly merged: readonly MergedCells[] }
  | { readonly kind: 'too-many-columns' | 'too-much-text' };

const MAX_MERGED_RANGES = 2_000;
/** @see Excel specifications and limits, "Worksheet size" */
const MAX_CELLS_IN_ROW = 16_384;

/** Reads the rows of a sheet into a table, each cell as the text that the sheet displays. */
export const readSheet = async (
  parts: WorkbookParts,
  sheet: WorkbookSheet,
  context: SheetContext,
  table: Table,
): Promise<SheetReading> => {
  const merged: MergedCells[] = [];
  /** Not named to the user yet. */
  const hiddenColumns = new Set<number>();
  let row: OpenRow = createRow(0, false);
  let cell: OpenCell = createCell(-1, '', '');
  let isValue = false;
  let isPhonetic = false;
  let rowCount = 0;
  let columnRanges = 0;
  let characters = 0;
  let fault: 'too-many-columns' | 'too-much-text' | null = null;

  const isDone = (): boolean => fault !== null || table.isOver();
  const closeCell = (): void => {
    if (isDone()) return;
    const { column } = cell;
    const isComputed = !cell.isFormula || cell.hasValue;
    const displayText = isComputed ? formatCell(cell, context) : null;
    const text = displayText ?? NOT_READ;
    if (text === '') return;
    characters += text.length;
    if (column >= MAX_COLUMNS) fault = 'too-many-columns';
    else if (characters > MAX_FILE_BYTES) fault = 'too-much-text';
    else {
      // The first row is the heading.
      if (table.rows() > 0 && hiddenColumns.delete(column))
        row.notices.push(describeHiddenColumn(toColumnLetter(column)));
      while (row.cells.length < column) row.cells.push('');
      row.cells[column] = text;
      if (displayText === null && row.problems.length < MAX_MESSAGES)
        row.problems.push({
          ...(isComputed ? describeFormat : describeFormula)(
            `${toColumnLetter(column)}${row.number}`,
          ),
          ...(isComputed ? { index: column } : {}),
        });
    }
  };
  const closeRow = (): void => {
    const { number, cells, problems, notices } = row;
    if (cells.length === 0 || isDone()) return;
    // A longer gap is refused anyway, because a filled row follows.
    const gap = Math.min(number - 1 - table.rows(), MAX_EMPTY_ROWS + 1);
    for (let empty = 0; empty < gap; empty += 1) table.add([]);
    table.add(cells, {
      ...(problems.length > 0 ? { problems } : {}),
      ...(notices.length > 0 ? { notices } : {}),
    });
  };

  await parts.read(sheet.part, {
    open(element, attribute) {
      switch (element) {
        case 'col': {
          // Ranges of columns do not overlap, except in a file that means harm.
          columnRanges += 1;
          if (columnRanges > MAX_COLUMNS || !isTrue(attribute('hidden'))) break;
          const last = Math.min(Number(attribute('max')), MAX_COLUMNS);
          for (let column = Number(attribute('min')); column <= last; column += 1)
            hiddenColumns.add(column - 1);
          break;
        }
        case 'row':
          rowCount += 1;
          if (rowCount > MAX_SHEET_ROWS) throw new WorkbookOverLimit('rows', MAX_SHEET_ROWS);
          row = createRow(Number(attribute('r')) || row.number + 1, isTrue(attribute('hidden')));
          cell = createCell(-1, '', '');
          break;
        case 'c':
          row.count += 1;
          if (row.count > MAX_CELLS_IN_ROW)
            throw new WorkbookOverLimit('cells in a row', MAX_CELLS_IN_ROW);
          cell = createCell(
            parseColumn(attribute('r')) ?? cell.column + 1,
            attribute('t'),
            attribute('s'),
          );
          break;
        case 'f':
          cell.isFormula = true;
          break;
        case 'rPh':
          isPhonetic = true;
          break;
        case 'v':
        case 't':
          isValue = !isPhonetic;
          cell.hasValue = true;
          break;
        case 'mergeCell':
          if (merged.length >= MAX_MERGED_RANGES)
            throw new WorkbookOverLimit('merged ranges', MAX_MERGED_RANGES);
          merged.push(...parseMergedCells(attribute('ref')));
          break;
      }
    },
    text(more) {
      if (isValue) cell.text = appendCellText(cell.text, more);
    },
    close(element) {
      switch (element) {
        case 'v':
        case 't':
          isValue = false;
          break;
        case 'rPh':
          isPhonetic = false;
          break;
        case 'c':
          closeCell();
          break;
        case 'row':
          closeRow();
          break;
      }
    },
    isDone,
  });
  return fault === null ? { kind: 'read', merged } : { kind: fault };
};

interface OpenRow {
  readonly number: number;
  readonly cells: string[];
  readonly problems: FileProblem[];
  readonly notices: RowMessage[];
  count: number;
}

const createRow = (number: number, isHidden: boolean): OpenRow => ({
  number,
  cells: [],
  problems: [],
  notices: isHidden ? [ROW_HIDDEN] : [],
  count: 0,
});

interface OpenCell {
  /** From 0. */
  readonly column: number;
  readonly type: string;
  readonly style: string;
  text: string;
  isFormula: boolean;
  hasValue: boolean;
}

const createCell = (column: number, type: string, style: string): OpenCell => ({
  column,
  type,
  style,
  text: '',
  isFormula: false,
  hasValue: false,
});

/** Placeholder for what is not in the file, or not clear. */
const NOT_READ = '(not read)';

const describeFormula = (address: string): RowMessage => ({
  column: null,
  id: 'formula-not-computed',
  message: `Cell ${address} holds a formula whose result is not in the file. Open the workbook in Excel, save it, and import it again.`,
});

const describeFormat = (address: string): RowMessage => ({
  column: null,
  id: 'cell-format-unclear',
  message: `The number format of cell ${address} shows only part of its value, such as a date without a year, minutes without hours, or nothing at all. Choose another format, check what the cell shows then, and import the file again.`,
});

const ROW_HIDDEN: RowMessage = {
  column: null,
  id: 'row-hidden',
  message:
    'This row is hidden in the sheet, perhaps by a filter. It is imported like the others: delete it there if it should not be.',
};

const describeHiddenColumn = (letter: string): RowMessage => ({
  column: null,
  id: 'column-hidden',
  message: `Column ${letter} is hidden in the sheet. It is imported like the others, in every row: delete it there if it should not be.`,
});

/** `null` if the format makes the text unclear. @see ECMA-376 18.18.11 "ST_CellType" */
const formatCell = (
  { type, style, text }: OpenCell,
  { workbook, findFormat, findText }: SheetContext,
): string | null => {
  switch (type) {
    case 's':
      return text.trim() === '' ? '' : findFormat(style).formatText(findText(Number(text)));
    case 'str':
    case 'inlineStr':
      return findFormat(style).formatText(unescapeCellText(text));
    case 'b':
      return text.trim() === '' ? '' : isTrue(text.trim()) ? 'TRUE' : 'FALSE';
    // Errors such as #N/A, and dates stored as text.
    case 'e':
    case 'd':
      return text;
    default: {
      const value = Number(text);
      return text.trim() === '' || !Number.isFinite(value)
        ? text
        : findFormat(style).formatNumber(value, workbook.countsFrom1904);
    }
  }
};

const LETTERS = 26;
const BEFORE_A = 64;
const ADDRESS = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/;

/** Index of a column, from 0, or `null` if the cell has no address. */
const parseColumn = (address: string): number | null => {
  const [, letters] = ADDRESS.exec(address) ?? [];
  if (letters === undefined) return null;
  let column = 0;
  for (const letter of letters) column = column * LETTERS + letter.charCodeAt(0) - BEFORE_A;
  return column - 1;
};

const RANGE = /^[^:]+:[^:]+$/;

const parseMergedCells = (range: string): readonly MergedCells[] => {
  const [first = '', last = ''] = RANGE.test(range) ? range.split(':') : [];
  const [, , firstRow] = ADDRESS.exec(first) ?? [];
  const [, , lastRow] = ADDRESS.exec(last) ?? [];
  return firstRow === undefined || lastRow === undefined
    ? []
    : [{ range, firstRow: Number(firstRow), lastRow: Number(lastRow) }];
};

export const fillMergedCells = (
  rows: readonly FileRow[],
  merged: readonly MergedCells[],
): readonly FileRow[] => {
  if (merged.length === 0) return rows;
  const covering = findCoveringRanges(rows.at(-1)?.row ?? 0, merged);
  return rows.map((row) => {
    const range = covering.get(row.row);
    return range === undefined
      ? row
      : { ...row, problems: [...(row.problems ?? []), describeMergedCells(range)] };
  });
};

/** The first range that covers each row. Visits a row once, however many ranges cover it. */
const findCoveringRanges = (
  lastRow: number,
  merged: readonly MergedCells[],
): ReadonlyMap<number, string> => {
  const covering = new Map<number, string>();
  // The next row that no range covers yet, for each row. It leads through rows that are covered.
  const next = Uint32Array.from({ length: lastRow + 2 }, (_, row) => row);
  const findOpen = (row: number): number => {
    let open = row;
    for (let after = next[open] ?? open; after !== open; after = next[open] ?? open) {
      // Halves the way for the next search.
      next[open] = next[after] ?? after;
      open = after;
    }
    return open;
  };
  for (const { range, firstRow, lastRow: end } of merged)
    for (let row = findOpen(firstRow); row <= Math.min(end, lastRow); row = findOpen(row)) {
      covering.set(row, range);
      next[row] = row + 1;
    }
  return covering;
};

const describeMergedCells = (range: string): RowMessage => ({
  column: null,
  id: 'cells-merged',
  message: `The cells ${range} are merged, so the sheet does not say whose value it is. Unmerge them, and fill in each cell.`,
});
