import {
  MAX_FILE_BYTES,
  MAX_FILE_MEGABYTES,
  MAX_UNPACKED_MEGABYTES,
} from '../../domain/mapping/csv/file-limits.ts';
import {
  type FileRefusal,
  listSheets,
  nameOtherSheets,
  refuseFile,
  refuseTooManyColumns,
} from '../../domain/mapping/csv/header.ts';
import { NOT_A_SPREADSHEET_MESSAGE, SAVE_AS_XLSX } from '../csv/decode-text.ts';
import { type BirthsFile, createTable } from '../csv/file-table.ts';
import { readCsv, TOO_LARGE_MESSAGE } from '../csv/read-csv.ts';
import { fillMergedCells, readSheet } from './read-sheet.ts';
import { readFormats, readTexts, readWorkbook, type WorkbookSheet } from './workbook.ts';
import {
  openParts,
  WorkbookOverLimit,
  type WorkbookParts,
  WorkbookTooLarge,
  WorkbookUnreadable,
} from './workbook-parts.ts';

const ZIP = Buffer.from('PK\u0003\u0004', 'latin1');
const BINARY_WORKBOOK = 'xl/workbook.bin';

export const UNREADABLE_WORKBOOK_MESSAGE = `The workbook is damaged, or is no Excel workbook. ${SAVE_AS_XLSX}`;

export const BINARY_WORKBOOK_MESSAGE = `The file is a binary Excel workbook (.xlsb). ${SAVE_AS_XLSX}`;

export const TOO_LARGE_WORKBOOK_MESSAGE = `The workbook holds more than ${MAX_UNPACKED_MEGABYTES} MB when it is unpacked. Copy the births into a workbook of their own, or split it into several files.`;

export const TOO_MUCH_TEXT_MESSAGE = `The sheet holds more than ${MAX_FILE_MEGABYTES} MB of text. Split it into several files.`;

export const describeOverLimit = ({ list, most }: Pick<WorkbookOverLimit, 'list' | 'most'>) =>
  `The workbook has more than ${most.toLocaleString('en-US')} ${list}, the most that are read. Copy the births into a new workbook, paste them as values, and import that one.`;

export const NO_SHEET_MESSAGE =
  'The workbook has no sheet of cells that is not hidden. Show the sheet that holds the births, save the workbook, and import it again.';

/** @param sheetName '' for the first sheet of a workbook */
export const readBirthsFile = async (bytes: Buffer, sheetName: string): Promise<BirthsFile> => {
  if (bytes.length > MAX_FILE_BYTES) return refuseFile('file-too-large', TOO_LARGE_MESSAGE);
  return bytes.subarray(0, ZIP.length).equals(ZIP) ? readXlsx(bytes, sheetName) : readCsv(bytes);
};

/** Same result as the sheet's CSV export. Works in slices, so a large workbook does not block the process. */
const readXlsx = async (bytes: Buffer, sheetName: string): Promise<BirthsFile> => {
  try {
    return await readWorkbookSheet(await openParts(bytes), sheetName);
  } catch (error) {
    if (error instanceof WorkbookTooLarge)
      return refuseFile('workbook-too-large', TOO_LARGE_WORKBOOK_MESSAGE);
    if (error instanceof WorkbookOverLimit)
      return refuseFile('workbook-over-limit', describeOverLimit(error));
    if (error instanceof WorkbookUnreadable)
      return refuseFile('workbook-unreadable', UNREADABLE_WORKBOOK_MESSAGE);
    throw error;
  }
};

const readWorkbookSheet = async (parts: WorkbookParts, sheetName: string): Promise<BirthsFile> => {
  if (parts.has(BINARY_WORKBOOK)) return refuseFile('workbook', BINARY_WORKBOOK_MESSAGE);
  const workbook = await readWorkbook(parts);
  if (workbook === null) return refuseFile('not-a-spreadsheet', NOT_A_SPREADSHEET_MESSAGE);
  const visibleSheets = workbook.sheets.filter(({ isHidden }) => !isHidden);
  const sheet =
    sheetName === ''
      ? visibleSheets[0]
      : visibleSheets.find(({ name }) => foldName(name) === foldName(sheetName));
  if (sheet === undefined) return refuseUnknownSheet(visibleSheets);
  if (!parts.has(sheet.part)) throw new WorkbookUnreadable('A sheet is not in the workbook.');
  const context = {
    workbook,
    findFormat: await readFormats(parts, workbook),
    findText: await readTexts(parts, workbook),
  };
  const table = createTable();
  const reading = await readSheet(parts, sheet, context, table);
  switch (reading.kind) {
    case 'too-many-columns':
      return refuseTooManyColumns();
    case 'too-much-text':
      return refuseFile('file-too-large', TOO_MUCH_TEXT_MESSAGE);
    case 'read': {
      const file = table.file();
      const { name } = sheet;
      const names = visibleSheets.map((one) => one.name);
      return file.kind === 'refused'
        ? nameOtherSheets(file, { name, names })
        : { ...file, rows: fillMergedCells(file.rows, reading.merged), sheet: { name, names } };
    }
  }
};

const foldName = (name: string): string => name.trim().toLowerCase();

const refuseUnknownSheet = (visibleSheets: readonly WorkbookSheet[]): FileRefusal =>
  visibleSheets.length === 0
    ? refuseFile('no-sheet', NO_SHEET_MESSAGE)
    : refuseFile('sheet-unknown', describeUnknownSheet(visibleSheets.map(({ name }) => name)));

export const describeUnknownSheet = (names: readonly string[]): string =>
  `The workbook has no sheet of that name. Its sheets are: ${listSheets(names)}.`;
