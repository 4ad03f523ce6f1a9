import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { isDate } from '../../domain/fhir/dates.ts';
import { createProgram } from '../create-program.ts';
import { ELEMENT_STYLES } from './sender-style.ts';
import type { SynthesisPlan } from './submissions.ts';

export interface SynthesisOrder {
  readonly plan: SynthesisPlan;
  /** Submissions per batch; `null` for one Bundle each. */
  readonly batchSize: number | null;
  readonly shouldPrintSummary: boolean;
  readonly isQuiet: boolean;
}

const MAX_COURSES = 9_999_999;
// Keeps a batch under MAX_BODY_BYTES of the registry.
const MAX_BATCH_SIZE = { usual: 700, all: 50 } as const;
const USUAL_BATCH_SIZE = 100;

/** @throws WrongUsage */
export const readCommandLine = (args: readonly string[]): SynthesisOrder => {
  const program = createProgram('npm run --silent synthesize --')
    .usage('--courses N [options]')
    .description(
      'Prints made-up BFDR Bundles, one per line, in the order to push them.\nThe same options give the same bytes on every machine.',
    )
    .requiredOption(
      '--courses <N>',
      'courses of care that are begun; amendments, retractions, and so on are extra',
      createNumberParser(1, MAX_COURSES),
    )
    .option('--seed <S>', 'any text', '1')
    .addOption(
      new Option(
        '--lane <LANE>',
        "as a practice's own system sends it, or a partner's, with Practitioners",
      )
        .choices(['native', 'partner'])
        .default('native'),
    )
    .addOption(
      new Option('--format <FORMAT>', 'a Bundle each, or Bundles of many')
        .choices(['ndjson', 'batch'])
        .default('ndjson'),
    )
    .option(
      '--batch-size <N>',
      'submissions in a batch, 1 to 700, with all elements to 50',
      createNumberParser(1, MAX_BATCH_SIZE.usual),
    )
    .addOption(
      new Option(
        '--elements <ELEMENTS>',
        'what most systems send, or every element of the guide (about 200 KB a Bundle)',
      )
        .choices(ELEMENT_STYLES)
        .default('usual' as const),
    )
    .option('--year <YYYY>', 'when the children are born', createNumberParser(1900, 2100), 2025)
    .option('--until <YYYY-MM-DD>', 'nothing is born or sent on this date or later', parseDate)
    .option(
      '--practice-prefix <P>',
      'begins the chart numbers: letters, digits and hyphens, up to 20; another prefix is another practice',
      parsePrefix,
      'SYN',
    )
    .option('--summary', 'prints counts on standard error')
    .option('--quiet', 'hides progress')
    .parse(args, { from: 'user' });
  const options = program.opts();
  const { courses, seed, lane, year, until = null, practicePrefix } = options;
  const { elements } = options;
  const largest = MAX_BATCH_SIZE[elements];
  const { batchSize = Math.min(USUAL_BATCH_SIZE, largest) } = options;
  if (batchSize > largest)
    program.error(`With --elements ${elements}, --batch-size is at most ${largest}.`);
  if (until !== null && until <= `${year}-01-01`) program.error('--until lies before the year.');
  return {
    plan: { courses, seed, lane, year, until, practicePrefix, elements },
    batchSize: options.format === 'batch' ? batchSize : null,
    shouldPrintSummary: options.summary === true,
    isQuiet: options.quiet === true,
  };
};

const createNumberParser =
  (least: number, most: number) =>
  (text: string): number => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It takes a whole number from ${least} to ${most}.`);
  };

const parseDate = (text: string): string => {
  if (isDate(text)) return text;
  throw new InvalidArgumentError('It takes a date, YYYY-MM-DD.');
};

const parsePrefix = (text: string): string => {
  if (/^[A-Za-z0-9][A-Za-z0-9-]{0,19}$/.test(text)) return text;
  throw new InvalidArgumentError('It takes letters, digits and hyphens, up to 20.');
};
