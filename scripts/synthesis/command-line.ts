import { parseArgs } from 'node:util';
import { isDate } from '../../domain/fhir/dates.ts';
import { WrongUsage } from '../wrong-usage.ts';
import type { SynthesisPlan } from './submissions.ts';

/** Parsed command line. */
export interface SynthesisOrder {
  readonly plan: SynthesisPlan;
  /** Submissions per batch; `null` for one Bundle each. */
  readonly batchSize: number | null;
  readonly isSummaryWanted: boolean;
  /** Hides progress on standard error. */
  readonly isQuiet: boolean;
}

export const USAGE = `Usage: npm run --silent synthesize -- --courses N [options]

Prints made-up BFDR Bundles, one per line, in the order to push them.
The same options give the same bytes on every machine.

  --courses N           courses of care that are begun; amendments, retractions, and
                        so on are extra
  --seed S              any text (default 1)
  --lane native|partner as a practice's own system sends it, or a partner's, with
                        Practitioners (default native)
  --format ndjson|batch a Bundle each, or Bundles of many (default ndjson)
  --batch-size N        submissions in a batch, 1 to 700 (default 100)
  --year YYYY           when the children are born (default 2025)
  --until YYYY-MM-DD    nothing is born or sent on this date or later
  --practice-prefix P   begins the chart numbers: letters, digits and hyphens, up to
                        20 (default SYN); another prefix is another practice
  --summary             prints counts on standard error
  --quiet               no progress on standard error
  --help                this text`;

const OPTIONS = {
  courses: { type: 'string' },
  seed: { type: 'string', default: '1' },
  lane: { type: 'string', default: 'native' },
  format: { type: 'string', default: 'ndjson' },
  'batch-size': { type: 'string', default: '100' },
  year: { type: 'string', default: '2025' },
  until: { type: 'string' },
  'practice-prefix': { type: 'string', default: 'SYN' },
  summary: { type: 'boolean', default: false },
  quiet: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const MAX_COURSES = 9_999_999;
const MAX_BATCH_SIZE = 700; // keeps a batch under the registry's limit of 20 MiB

/**
 * Parses the command line; `null` if it asks for help.
 * @throws WrongUsage
 */
export const readCommandLine = (args: readonly string[]): SynthesisOrder | null => {
  const values = readValues(args);
  if (values.help) return null;
  if (values.courses === undefined) throw new WrongUsage('--courses is missing.');
  const year = readWholeNumber('--year', values.year, 1900, 2100);
  return {
    plan: {
      courses: readWholeNumber('--courses', values.courses, 1, MAX_COURSES),
      seed: values.seed,
      lane: readOneOf('--lane', values.lane, ['native', 'partner']),
      year,
      until: readUntil(values.until, year),
      practicePrefix: readPrefix(values['practice-prefix']),
    },
    batchSize:
      readOneOf('--format', values.format, ['ndjson', 'batch']) === 'ndjson'
        ? null
        : readWholeNumber('--batch-size', values['batch-size'], 1, MAX_BATCH_SIZE),
    isSummaryWanted: values.summary,
    isQuiet: values.quiet,
  };
};

const readValues = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: false }).values;
  } catch (cause) {
    throw new WrongUsage('An option is unknown or has no value, or a word stands alone.', {
      cause,
    });
  }
};

const readWholeNumber = (option: string, text: string, least: number, most: number): number => {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new WrongUsage(`${option} takes a whole number from ${least} to ${most}.`);
};

const readOneOf = <T extends string>(option: string, text: string, words: readonly T[]): T => {
  const word = words.find((candidate) => candidate === text);
  if (word === undefined) throw new WrongUsage(`${option} is one of ${words.join(', ')}.`);
  return word;
};

const readUntil = (text: string | undefined, year: number): string | null => {
  if (text === undefined) return null;
  if (!isDate(text)) throw new WrongUsage('--until takes a date, YYYY-MM-DD.');
  if (text <= `${year}-01-01`) throw new WrongUsage('--until lies before the year.');
  return text;
};

const readPrefix = (text: string): string => {
  if (/^[A-Za-z0-9][A-Za-z0-9-]{0,19}$/.test(text)) return text;
  throw new WrongUsage('--practice-prefix takes letters, digits and hyphens, up to 20.');
};
