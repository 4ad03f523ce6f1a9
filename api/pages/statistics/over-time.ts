import type { Count, Counts, Figures } from '../../../domain/statistics/figures.ts';

/** Births in the order of time, the periods without any among them. */
export interface CountsOverTime {
  readonly unit: 'month' | 'year';
  /** By `YYYY-MM` or `YYYY`; at the end what has no year, as the figures call it. */
  readonly counts: readonly (readonly [period: string, Count])[];
}

const MOST_MONTHS = 24;
/** Beyond that a date was mistyped: the years between would hide those that have births. */
const MOST_YEARS = 50;
export const MONTHS_OF_YEAR = 12;
const NONE: Count = { births: 0, coursesOfCare: 0 };

/** The births of a practice from the first period to the last: by month if those are few, else by year. */
export const overTime = (by: Pick<Figures['by'], 'month' | 'year'>): CountsOverTime => {
  const months = filled(by.month, monthNumber, monthOf, MOST_MONTHS);
  if (months !== null) return { unit: 'month', counts: months };
  const { dated, undated } = parted(by.year);
  const years = filled(dated, Number, String, MOST_YEARS) ?? Object.entries(dated).sort(byPeriod);
  return { unit: 'year', counts: [...years, ...Object.entries(undated)] };
};

/** Every period between the first and the last; null if there is none, or more than `most`. */
const filled = (
  counts: Counts,
  numberOf: (period: string) => number,
  periodOf: (number: number) => string,
  most: number,
): readonly (readonly [string, Count])[] | null => {
  const numbers = Object.keys(counts).map(numberOf);
  const first = Math.min(...numbers);
  const length = Math.max(...numbers) - first + 1;
  if (numbers.length === 0 || length > most) return null;
  return Array.from({ length }, (_, at) => {
    const period = periodOf(first + at);
    return [period, counts[period] ?? NONE] as const;
  });
};

const monthNumber = (period: string): number => {
  const [year, month] = period.split('-');
  return Number(year) * MONTHS_OF_YEAR + Number(month) - 1;
};

const monthOf = (number: number): string =>
  [
    String(Math.floor(number / MONTHS_OF_YEAR)).padStart(4, '0'),
    String((number % MONTHS_OF_YEAR) + 1).padStart(2, '0'),
  ].join('-');

const YEAR = /^\d{4}$/;

const parted = (counts: Counts): { readonly dated: Counts; readonly undated: Counts } => {
  const entries = Object.entries(counts);
  return {
    dated: Object.fromEntries(entries.filter(([period]) => YEAR.test(period))),
    undated: Object.fromEntries(entries.filter(([period]) => !YEAR.test(period))),
  };
};

const byPeriod = ([one]: [string, Count], [other]: [string, Count]): number =>
  one < other ? -1 : 1;
