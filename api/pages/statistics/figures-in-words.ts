import { countInWords } from '../../../domain/format-measures.ts';
import type { BenchmarkRate } from '../../../domain/statistics/benchmark.ts';
import type { Count, Rate } from '../../../domain/statistics/figures.ts';

/** What stands for a cell of the benchmark under the threshold. */
export const TOO_FEW = 'too few to show';

const percent = new Intl.NumberFormat('en-US', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const whole = new Intl.NumberFormat('en-US');

/** `28.4%`. */
export const inPercent = (value: number): string => percent.format(value);

/** `12,345`. */
export const inFigures = (count: number): string => whole.format(count);

/** `28.4%`; where nothing is known a dash. */
export const rateInWords = ({ value }: Rate): string => (value === null ? '–' : inPercent(value));

/** `28%`. */
export const inWholePercent = (value: number): string => `${Math.round(value * 100)}%`;

/** `28%` of other practices, or that they are too few. */
export const benchmarkInWords = (rate: BenchmarkRate | undefined): string =>
  rate === undefined || rate.value === null ? TOO_FEW : inWholePercent(rate.value);

/** `71 of 250 known`. */
export const baseInWords = (rate: Rate): string => {
  if (rate.denominator === 0) return 'none known';
  return `${inFigures(rate.numerator)} of ${inFigures(rate.denominator)} known`;
};

/** `23.2–34.3%`, in one line; empty where there is none. */
export const intervalInWords = ({ low, high }: Rate): string =>
  low === null || high === null
    ? ''
    : `${inPercent(low).replace('%', '')}–\u2060${inPercent(high)}`;

/**
 * The deliveries of some births: "in 2 deliveries". A delivery counts where its first child does,
 * so that of twins born across midnight the second may have none in its period.
 */
export const deliveriesInWords = ({ births, coursesOfCare }: Count): string => {
  if (coursesOfCare > 0 || births === 0)
    return `in ${countInWords(coursesOfCare, 'delivery', 'deliveries')}`;
  return births === 1
    ? 'of a delivery that began in another period'
    : 'of deliveries that began in another period';
};

const UNKNOWN = 'Not known';

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** A group of figures in words; `unknown` is what the figures call a missing value. */
export const groupInWords = (name: string): string =>
  name === 'unknown' ? UNKNOWN : capitalized(name);

/** The role of an attendant in words. */
export const attendantInWords = (role: string): string =>
  role === 'unknown' ? 'No attendant known' : capitalized(role);
