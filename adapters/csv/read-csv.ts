import { setImmediate } from 'node:timers/promises';
import { CsvError, type Parser, parse } from 'csv-parse';
import { MAX_FILE_BYTES, MAX_FILE_MEGABYTES } from '../../domain/mapping/csv/file-limits.ts';
import { refuseFile } from '../../domain/mapping/csv/header.ts';
import { decodeText } from './decode-text.ts';
import { type BirthsFile, createTable, type Table } from './file-table.ts';
import { readFormulas } from './formula-cells.ts';

const MAX_ROW_CHARACTERS = 1024 * 1024;
/** Number of characters to parse before yielding to the event loop, a few milliseconds of work. */
const SLICE_CHARACTERS = 4 * 1024;

export const TOO_LARGE_MESSAGE = `The file is larger than ${MAX_FILE_MEGABYTES} MB. Split it into several files.`;

/** Works in slices, so a large file does not block the process. */
export const readCsv = async (bytes: Buffer): Promise<BirthsFile> => {
  if (bytes.length > MAX_FILE_BYTES) return refuseFile('file-too-large', TOO_LARGE_MESSAGE);
  const decoded = await decodeText(bytes);
  if (decoded.kind === 'refused') return decoded;
  const [first = ''] = decoded.parts;
  const { delimiter, skip } = detectLayout(first);
  const table = createTable();
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    // Keep quotation marks inside unquoted text.
    relax_quotes: true,
    skip_empty_lines: false,
    max_record_size: MAX_ROW_CHARACTERS,
  });
  try {
    await parseInSlices(parser, [first.slice(skip), ...decoded.parts.slice(1)], table);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return refuseFile('row-unreadable', describeProblem(error, parser.info.records + 1));
  }
  return table.file();
};

const parseInSlices = async (
  parser: Parser,
  parts: readonly string[],
  table: Table,
): Promise<void> => {
  let fault: Error | null = null;
  parser.on('error', (error: Error) => {
    fault = error;
  });
  const isDone = () => fault !== null || table.isOver();
  const drain = () => {
    for (let row = parser.read(); row !== null && !isDone(); row = parser.read()) {
      const { cells, ...noted } = readFormulas(row as string[], table.rows() + 1);
      table.add(cells, noted);
    }
  };
  const ended = new Promise<void>((resolve) => {
    parser.once('close', resolve);
  });
  for (const slice of parts.flatMap((part) => [...sliceText(part)])) {
    if (isDone()) break;
    parser.write(slice);
    await setImmediate();
    drain();
  }
  if (isDone()) parser.destroy();
  else {
    parser.on('readable', drain);
    parser.end();
    drain();
  }
  await ended;
  if (fault !== null) throw fault;
};

const HIGH_SURROGATE = /[\ud800-\udbff]$/;

/** Splits a text without breaking surrogate pairs. */
function* sliceText(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const slice = text.slice(from, from + SLICE_CHARACTERS);
    const whole = HIGH_SURROGATE.test(slice) ? text.slice(from, from + slice.length + 1) : slice;
    yield whole;
    from += whole.length;
  }
}

// The parser's messages quote the file.
const describeProblem = (error: CsvError, row: number): string => {
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
    case 'CSV_MAX_RECORD_SIZE':
      return `Row ${row} does not end: a quotation mark is opened in it and never closed, or the row is too long. Correct it and import the file again.`;
    case 'CSV_INVALID_CLOSING_QUOTE':
      return `Row ${row} has a quotation mark in the middle of a quoted text. Write it twice, or remove it, and import the file again.`;
    default:
      return `Row ${row} cannot be read as CSV. Correct it and import the file again.`;
  }
};

const DELIMITERS = [',', ';', '\t', '|'] as const;

type Delimiter = (typeof DELIMITERS)[number];

interface Layout {
  readonly delimiter: Delimiter;
  /** Number of characters to skip: the line that names the delimiter for Excel. */
  readonly skip: number;
}

const SEPARATOR_LINE = /^"?sep=(.)"?(?:\r\n|\n|\r)/i;
const LINE_END = /[\r\n]/;

/** Delimiter in the line `sep=;`, else the most frequent one in the header line, else a comma. */
export const detectLayout = (start: string): Layout => {
  const named = SEPARATOR_LINE.exec(start);
  const said = DELIMITERS.find((delimiter) => delimiter === named?.[1]);
  if (named !== null && said !== undefined) return { delimiter: said, skip: named[0].length };
  const counts = new Map<string, number>();
  let isQuoted = false;
  for (const character of start) {
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && LINE_END.test(character)) break;
    else if (!isQuoted) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  const [delimiter] = [...DELIMITERS].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
  return { delimiter: delimiter ?? ',', skip: 0 };
};
