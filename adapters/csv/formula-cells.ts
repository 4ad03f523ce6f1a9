import { toColumnLetter } from '../../domain/mapping/csv/header.ts';
import { type FileRow, MAX_MESSAGES, type RowMessage } from '../../domain/mapping/csv/row.ts';
import { removeStrayInvisible } from '../../domain/text-input.ts';

/** Text as a formula: programs write it so that a spreadsheet keeps the zeros of `="00451"`. */
const QUOTED = /^\s*="((?:[^"]|"")*)"\s*$/;

const isFormula = (cell: string): boolean => removeStrayInvisible(cell).trimStart().startsWith('=');

const unwrap = (cell: string): string | null =>
  QUOTED.exec(removeStrayInvisible(cell))?.[1]?.replaceAll('""', '"') ?? null;

export interface PlainRow extends Pick<FileRow, 'problems' | 'notices'> {
  readonly cells: readonly string[];
}

/** The value that a cell shows is in the file only if its formula is a text. */
export const readFormulas = (cells: readonly string[], row: number): PlainRow => {
  if (!cells.some(isFormula)) return { cells };
  const problems: RowMessage[] = [];
  const notices: RowMessage[] = [];
  const plain = cells.map((cell, column) => {
    if (!isFormula(cell)) return cell;
    const text = unwrap(cell);
    const address = `${toColumnLetter(column)}${row}`;
    if (text === null) problems.push(describeFormula(address));
    else notices.push(describeUnwrapped(address));
    return text ?? cell;
  });
  return {
    cells: plain,
    ...(problems.length > 0 && { problems: problems.slice(0, MAX_MESSAGES) }),
    ...(notices.length > 0 && { notices: notices.slice(0, MAX_MESSAGES) }),
  };
};

const describeFormula = (address: string): RowMessage => ({
  column: null,
  id: 'formula-in-cell',
  message: `Cell ${address} holds a formula, and its result is not in the file. Replace it with the value.`,
});

const describeUnwrapped = (address: string): RowMessage => ({
  column: null,
  id: 'formula-of-text',
  message: `Cell ${address} is written as a formula for a text. Only the text is imported.`,
});
