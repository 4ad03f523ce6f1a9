import { countInWords } from '../../../domain/format-measures.ts';
import type { BenchmarkRate } from '../../../domain/statistics/benchmark.ts';
import type { Count, Rate } from '../../../domain/statistics/figures.ts';

/** Shown for a benchmark below the minimum cell size. */
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

/** `28.4%`; a dash if nothing is known. */
export const rateInWords = ({ value }: Rate): string => (value === null ? '–' : inPercent(value));

/** `28%`. */
export const inWholePercent = (value: number): string => `${Math.round(value * 100)}%`;

/** `28%` of other practices, or {@link TOO_FEW}. */
export const benchmarkInWords = (rate: BenchmarkRate | undefined): string =>
  rate === undefined || rate.value === null ? TOO_FEW : inWholePercent(rate.value);

/** `71 of 250 known`. */
export const baseInWords = (rate: Rate): string => {
  if (rate.denominator === 0) return 'none known';
  return `${inFigures(rate.numerator)} of ${inFigures(rate.denominator)} known`;
};

/** `23.2–34.3%`, without a line break; empty if there is no interval. */
export const intervalInWords = ({ low, high }: Rate): string =>
  low === null || high === null
    ? ''
    : `${inPercent(low).replace('%', '')}–\u2060${inPercent(high)}`;

/**
 * Number of deliveries for a count of births: "in 2 deliveries". A delivery counts in the period of
 * its first child, so the second of twins born across midnight may have none in its own.
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

/** Label of a group. */
export const groupInWords = (name: string): string =>
  name === 'unknown' ? UNKNOWN : capitalized(name);

/** Label of an attendant's role. */
export const attendantInWords = (role: string): string =>
  role === 'unknown' ? 'No attendant known' : capitalized(role);
