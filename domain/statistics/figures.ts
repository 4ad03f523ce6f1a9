import { groupBy } from '../group-by.ts';
import type { Benchmark } from './benchmark.ts';
import { RATES } from './definitions.ts';
import type { Cell, Cells, Exclusions } from './ports.ts';

export type Rates = Readonly<Record<string, Rate>>;

export interface Count {
  readonly coursesOfCare: number;
  readonly births: number;
}

export interface RatedCount extends Count {
  readonly rates: Rates;
}

/** Counts by group, including `unknown`. */
export type Counts = Readonly<Record<string, Count>>;

/** Counts and rates by group, including `unknown`. */
export type RatedCounts = Readonly<Record<string, RatedCount>>;

export interface Figures extends RatedCount {
  readonly fetalDeaths: number;
  readonly by: {
    /** `YYYY`. */
    readonly year: Counts;
    /** `YYYY-MM`; has no `unknown`. */
    readonly month: Counts;
    readonly place: RatedCounts;
    readonly source: Counts;
    readonly sex: Readonly<Record<string, { readonly births: number }>>;
    readonly plurality: Counts;
    readonly attendantRole: RatedCounts;
  };
}

export interface PracticeStatistics extends Figures {
  /** True for a sandbox, which sees its own figures but is in no benchmark. */
  readonly sandbox: boolean;
  readonly excluded: Exclusions;
  readonly benchmark: Benchmark;
}

export const UNKNOWN = 'unknown';

export const computeFigures = (cells: Cells): Figures => ({
  ...toRatedCount(cells),
  fetalDeaths: sumBy(cells.births, ({ fetalDeaths }) => fetalDeaths),
  by: {
    year: groupCells(cells, ({ year }) => year?.toString() ?? null, computeCount),
    month: groupCells(selectDatedCells(cells), toMonth, computeCount),
    place: groupCells(cells, ({ place }) => place, toRatedCount),
    source: groupCells(cells, ({ source }) => source, computeCount),
    sex: Object.fromEntries(
      [...groupBy(cells.births, ({ sex }) => sex ?? UNKNOWN)]
        .sort(([a], [b]) => compareUnknownLast(a, b))
        .map(([sex, births]) => [sex, { births: sumBy(births, ({ count }) => count) }]),
    ),
    plurality: groupCells(cells, ({ plurality }) => formatPlurality(plurality), computeCount),
    attendantRole: groupCells(cells, ({ attendantRole }) => attendantRole, toRatedCount),
  },
});

export const formatPlurality = (plurality: number): string =>
  plurality <= 1 ? 'singleton' : plurality === 2 ? 'twins' : 'triplets or more';

export const computeCount = ({ courses, births }: Cells): Count => ({
  coursesOfCare: sumBy(courses, ({ count }) => count),
  births: sumBy(births, ({ count }) => count),
});

const toRatedCount = (cells: Cells): RatedCount => ({
  ...computeCount(cells),
  rates: computeRates(cells),
});

export const computeRates = ({ courses, births }: Cells): Rates =>
  Object.fromEntries(
    RATES.map(({ name, unit }) => {
      const counted: readonly Cell[] = unit === 'birth' ? births : courses;
      return [
        name,
        computeRate(
          sumBy(counted, ({ tallies }) => tallies[name]?.numerator ?? 0),
          sumBy(counted, ({ tallies }) => tallies[name]?.denominator ?? 0),
        ),
      ] as const;
    }),
  );

export const countUnknown = ({ courses, births }: Cells): Readonly<Record<string, number>> =>
  Object.fromEntries(
    RATES.map(({ name, unit }) => {
      const counted: readonly Cell[] = unit === 'birth' ? births : courses;
      return [name, sumBy(counted, ({ tallies }) => tallies[name]?.unknown ?? 0)] as const;
    }),
  );

const toMonth = ({ year, month }: Cell): string => `${year}-${String(month).padStart(2, '0')}`;

const selectDatedCells = (cells: Cells): Cells => selectCells(cells, ({ month }) => month !== null);

export const selectCells = ({ courses, births }: Cells, holds: (cell: Cell) => boolean): Cells => ({
  courses: courses.filter(holds),
  births: births.filter(holds),
});

const groupCells = <T>(
  cells: Cells,
  by: (cell: Cell) => string | null,
  shape: (cells: Cells) => T,
): Readonly<Record<string, T>> => {
  const getName = (cell: Cell): string => by(cell) ?? UNKNOWN;
  const courses = groupBy(cells.courses, getName);
  const births = groupBy(cells.births, getName);
  const names = [...new Set([...courses.keys(), ...births.keys()])].sort(compareUnknownLast);
  return Object.fromEntries(
    names.map((name) => [
      name,
      shape({ courses: courses.get(name) ?? [], births: births.get(name) ?? [] }),
    ]),
  );
};

const compareUnknownLast = (a: string, b: string): number =>
  Number(a === UNKNOWN) - Number(b === UNKNOWN) || (a < b ? -1 : 1);

const sumBy = <T>(of: readonly T[], value: (one: T) => number): number =>
  of.reduce((total, one) => total + value(one), 0);

/** Rate with its 95 % interval; `null` without known values. */
export interface Rate {
  readonly numerator: number;
  readonly denominator: number;
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** Two-sided 95 % quantile of the normal distribution. */
const Z = 1.959963984540054;

/**
 * Wilson score interval: stays within 0 and 1, and is valid for small samples.
 * @see E. B. Wilson, Journal of the American Statistical Association 22 (1927) 209–212
 */
export const computeRate = (numerator: number, denominator: number, z = Z): Rate => {
  if (denominator === 0) return { numerator, denominator, value: null, low: null, high: null };
  const value = numerator / denominator;
  const z2 = z * z;
  const center = (value + z2 / (2 * denominator)) / (1 + z2 / denominator);
  const half =
    (z / (1 + z2 / denominator)) *
    Math.sqrt((value * (1 - value)) / denominator + z2 / (4 * denominator * denominator));
  // At 0 and 1 the interval ends exactly there, regardless of rounding errors.
  const low = numerator === 0 ? 0 : Math.max(0, center - half);
  const high = numerator === denominator ? 1 : Math.min(1, center + half);
  return { numerator, denominator, value, low, high };
};
