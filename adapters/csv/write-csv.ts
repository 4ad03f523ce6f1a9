import { setImmediate } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';

/** Number of cells that are written at once, while other requests wait. */
const SLICE_CELLS = 2_000;
const BYTE_ORDER_MARK = '\ufeff';

/** UTF-8 with byte order mark, CRLF (RFC 4180). Puts an apostrophe before cells that look like formulas. */
export async function* writeCsv(
  headers: readonly string[],
  rows: AsyncIterable<readonly string[]> | Iterable<readonly string[]>,
): AsyncIterable<string> {
  yield BYTE_ORDER_MARK + lines([headers]);
  let slice: (readonly string[])[] = [];
  let cells = 0;
  for await (const row of rows) {
    slice.push(row);
    cells += row.length;
    if (cells < SLICE_CELLS) continue;
    yield lines(slice);
    slice = [];
    cells = 0;
    await setImmediate();
  }
  if (slice.length > 0) yield lines(slice);
}

const lines = (rows: readonly (readonly string[])[]): string =>
  stringify(
    rows.map((row) => [...row]),
    { record_delimiter: '\r\n', escape_formulas: true },
  );

// Start of a formula, as defined by `escape_formulas`.
const GUARDED = /^'(?=[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/;

/** Removes only the apostrophe that {@link writeCsv} puts before a formula. */
export const removeCellGuard = (cell: string): string =>
  cell.startsWith("'") ? cell.replace(GUARDED, '') : cell;
