import { countInWords } from '../../../domain/format-measures.ts';
import type { BenchmarkRate } from '../../../domain/statistics/benchmark.ts';
import type { Count, Rate } from '../../../domain/statistics/figures.ts';
import { capitalize } from '../text/text-case.ts';

/** Shown for a benchmark below the minimum cell size. */
export const TOO_FEW = 'too few to show';

const percent = new Intl.NumberFormat('en-US', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const whole = new Intl.NumberFormat('en-US');

/** `28.4%`. */
export const formatPercent = (value: number): string => percent.format(value);

/** `12,345`. */
export const formatCount = (count: number): string => whole.format(count);

/** `28.4%`; a dash if nothing is known. */
export const formatRate = ({ value }: Rate): string =>
  value === null ? '–' : formatPercent(value);

/** `28%`. */
export const formatWholePercent = (value: number): string => `${Math.round(value * 100)}%`;

/** `28%` of other practices, or {@link TOO_FEW}. */
export const formatBenchmark = (rate: BenchmarkRate | undefined): string =>
  rate === undefined || rate.value === null ? TOO_FEW : formatWholePercent(rate.value);

/** `71 of 250 known`. */
export const formatBase = (rate: Rate): string => {
  if (rate.denominator === 0) return 'none known';
  return `${formatCount(rate.numerator)} of ${formatCount(rate.denominator)} known`;
};

/** `23.2–34.3%`, without a line break; empty if there is no interval. */
export const formatInterval = ({ low, high }: Rate): string =>
  low === null || high === null
    ? ''
    : `${formatPercent(low).replace('%', '')}–\u2060${formatPercent(high)}`;

/**
 * Number of deliveries for a count of births: "in 2 deliveries". A delivery counts in the period of
 * its first child, so the second of twins born across midnight may have none in its own.
 */
export const formatDeliveries = ({ births, coursesOfCare }: Count): string => {
  if (coursesOfCare > 0 || births === 0)
    return `in ${countInWords(coursesOfCare, 'delivery', 'deliveries')}`;
  return births === 1
    ? 'of a delivery that began in another period'
    : 'of deliveries that began in another period';
};

const UNKNOWN = 'Not known';

export const formatGroup = (name: string): string =>
  name === 'unknown' ? UNKNOWN : capitalize(name);

export const formatAttendant = (role: string): string =>
  role === 'unknown' ? 'No attendant known' : capitalize(role);
