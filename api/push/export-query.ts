import { readChartNumber } from '../../domain/course-of-care/chart-number.ts';
import { normaliseInstant } from '../../domain/course-of-care/stamps.ts';
import {
  chartNumberWrong,
  countWrong,
  cursorWrong,
  formatWrong,
  MOST_EXPORTED,
  parameterRepeated,
  parameterUnknown,
  sinceWrong,
} from './problems.ts';

/** Records of a page unless the search says how many. */
const USUAL_COUNT = 50;

/** What a search for records asks for. */
export interface ExportSearch {
  /** Records of a page. */
  readonly count: number;
  /** The first moment of change; null: from the beginning. */
  readonly since: Date | null;
  readonly chartNumber: string | null;
  /** Position of the last record of the page before; null: it is the first page. */
  readonly after: string | null;
}

const READERS = { _count: 'count', _since: 'since', identifier: 'chartNumber', _cursor: 'after' };
const FORMATS = new Set(['json', 'application/json', 'application/fhir+json']);

/**
 * Reads the parameters of a search. One that is not known is refused: a misspelled `_since` would export
 * everything.
 * @throws RequestProblem 400
 */
export const readExportSearch = (parameters: URLSearchParams): ExportSearch => {
  for (const name of new Set(parameters.keys())) {
    if (!Object.hasOwn(READERS, name) && name !== '_format') throw parameterUnknown();
    if (parameters.getAll(name).length > 1) throw parameterRepeated();
  }
  const format = parameters.get('_format');
  // A plus sign that is not encoded arrives as a space.
  if (format !== null && !FORMATS.has(format.replace(' ', '+'))) throw formatWrong();
  return {
    count: readCount(parameters.get('_count')),
    since: readSince(parameters.get('_since')),
    chartNumber: readIdentifier(parameters.get('identifier')),
    after: readCursor(parameters.get('_cursor')),
  };
};

const COUNT = /^\d{1,9}$/;

const readCount = (text: string | null): number => {
  if (text === null) return USUAL_COUNT;
  const count = COUNT.test(text) ? Number(text) : 0;
  if (count === 0) throw countWrong();
  return Math.min(count, MOST_EXPORTED);
};

const SPACE_BEFORE_OFFSET = / (?=\d{2}:\d{2}$)/;

const readSince = (text: string | null): Date | null => {
  if (text === null) return null;
  const instant = normaliseInstant(text.replace(SPACE_BEFORE_OFFSET, '+'));
  if (instant === null) throw sinceWrong();
  return new Date(instant);
};

const readIdentifier = (text: string | null): string | null => {
  if (text === null) return null;
  const read = readChartNumber(text);
  if (read.kind !== 'chart number') throw chartNumberWrong();
  // Records from before invisible characters were dropped have them in their chart numbers.
  return read.tidied?.asSent ?? read.value;
};

const CURSOR = /^v1\.(\d{1,19})$/;
const HIGHEST_POSITION = 2n ** 63n - 1n;

/** The cursor after a record at a position of the log. */
export const cursorAt = (position: string): string =>
  Buffer.from(`v1.${position}`).toString('base64url');

const readCursor = (text: string | null): string | null => {
  if (text === null) return null;
  const position = CURSOR.exec(Buffer.from(text, 'base64url').toString('latin1'))?.[1];
  if (position === undefined || BigInt(position) > HIGHEST_POSITION) throw cursorWrong();
  return position;
};
