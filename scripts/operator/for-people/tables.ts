import Table from 'cli-table3';
import type { Style } from './style.ts';

type Columns<Row> = Readonly<Record<string, (row: Row) => string | number | null>>;

const NO_LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
};

/** Names and values come from clients, and could otherwise overwrite text on the terminal. */
export const toSafeText = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, ' ');

/** Aligns columns; the cells must be safe to print. */
export const alignColumns = (
  rows: readonly (readonly string[])[],
  aligns: readonly ('left' | 'right')[] = [],
): string => {
  const table = new Table({
    chars: NO_LINES,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
    colAligns: [...aligns],
  });
  table.push(...rows.map((row) => [...row]));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
};

/**
 * @param nothing sentence if there are no rows
 * @param figures headings of further columns to align as numbers
 */
export const createTable =
  <Row>(nothing: string, columns: Columns<Row>, figures: readonly string[] = []) =>
  (rows: readonly Row[], style: Style): string => {
    if (rows.length === 0) return nothing;
    const cells = rows.map((row) => Object.values(columns).map((cell) => cell(row)));
    const headings = Object.keys(columns);
    return alignColumns(
      [headings.map(style.strong), ...cells.map((row) => row.map(formatCell))],
      headings.map((heading, at) =>
        figures.includes(heading) || cells.every((row) => typeof row[at] === 'number')
          ? 'right'
          : 'left',
      ),
    );
  };

const formatCell = (value: string | number | null): string => {
  if (value === null || value === '') return '–';
  return typeof value === 'number' ? value.toLocaleString('en-US') : toSafeText(value);
};

/** Time to the second, in UTC: "2026-05-12 14:03:00". */
export const momentInUtc = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ');
