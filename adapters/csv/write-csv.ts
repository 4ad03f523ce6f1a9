import { setImmediate } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';

const ROWS_PER_SLICE = 1_000;
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Writes rows as a CSV file that every spreadsheet opens as it is: UTF-8 with byte order mark,
 * commas, CRLF. A cell that a spreadsheet would take for a formula gets an apostrophe before it.
 * @see RFC 4180
 */
export async function* writeCsv(
  headers: readonly string[],
  rows: AsyncIterable<readonly string[]> | Iterable<readonly string[]>,
): AsyncIterable<string> {
  yield BYTE_ORDER_MARK + lines([headers]);
  let slice: (readonly string[])[] = [];
  for await (const row of rows) {
    slice.push(row);
    if (slice.length < ROWS_PER_SLICE) continue;
    yield lines(slice);
    slice = [];
    await setImmediate();
  }
  if (slice.length > 0) yield lines(slice);
}

const lines = (rows: readonly (readonly string[])[]): string =>
  stringify(
    rows.map((row) => [...row]),
    { record_delimiter: '\r\n', escape_formulas: true },
  );

// What `escape_formulas` takes for the beginning of a formula.
const GUARDED = /^'(?=[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/;

/** A cell without the apostrophe that {@link writeCsv} puts before what looks like a formula; no other goes. */
export const removeCellGuard = (cell: string): string => cell.replace(GUARDED, '');
