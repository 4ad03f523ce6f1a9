import { MIN_CELL_SIZE } from './definitions.ts';
import { type Count, computeCount, computeRates, type Rates, selectCells } from './figures.ts';
import type { Cell, CellFilter, Cells } from './ports.ts';

/** Months are numbered from the year 0, for comparison and arithmetic. */
const MONTHS_OF_YEAR = 12;
const MONTHS_OF_QUARTER = 3;

const UNITS = [
  { unit: 'month', months: 1 },
  { unit: 'quarter', months: MONTHS_OF_QUARTER },
  { unit: 'year', months: MONTHS_OF_YEAR },
] as const;

export type TimeUnit = (typeof UNITS)[number]['unit'];

const MAX_PERIODS = 24;

/** Maximum plausible age of a birth, in years. Earlier dates are typing errors. */
const MAX_YEARS_AGO = 60;

/** A few births before a longer gap, in years, are typing errors. */
const MAX_GAP_YEARS = 3;

/** Period on a chart: `2026-05`, `2026-Q2`, or `2026`. */
export interface TimePeriod {
  readonly name: string;
  readonly year: number;
  /** First and last month, 1 to 12; `null` for a whole year. */
  readonly months: readonly [first: number, last: number] | null;
}

export interface PeriodFigures extends TimePeriod, Count {
  readonly rates: Rates;
}

export interface Series {
  readonly unit: TimeUnit;
  readonly periods: readonly PeriodFigures[];
  /** Births with only a year, if the chart is by month or quarter. */
  readonly yearOnly: number;
}

export interface OverTime {
  /** By the finest readable unit. */
  readonly births: Series;
  /** By the finest unit in which most periods have enough births for a rate. */
  readonly rates: Series;
  /** Births dated outside the charts; `null` if there are none. */
  readonly outside: Outside | null;
  readonly undated: number;
}

export interface Outside extends Span {
  readonly births: number;
}

/** First and last month, both `YYYY-MM`. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/**
 * Ends this year at the latest.
 * @param cells for a month, include those of the year before it
 * @param thisMonth `YYYY-MM`
 */
export const computeOverTime = (
  cells: Cells,
  filter: CellFilter,
  thisMonth: string,
): OverTime | null => {
  const span = findSpan(cells, filter, parseMonth(thisMonth));
  if (span === null) return null;
  const [from, to] = span;
  // The year up to a month spans two calendar years, so only months make sense.
  const units = filter.month === null ? UNITS : UNITS.slice(0, 1);
  const isOutside = (cell: Cell): boolean =>
    cell.year !== null &&
    !(cell.month === null ? listYears(span).has(cell.year) : isIn(cell, span));
  const outside = computeCount(selectCells(cells, isOutside)).births;
  const covered = selectCells(cells, (cell) => cell.year !== null && !isOutside(cell));
  return {
    births: buildSeries(covered, span, { units, enough: 0 }),
    rates: buildSeries(covered, span, { units, enough: MIN_CELL_SIZE }),
    outside:
      outside === 0 ? null : { births: outside, from: formatMonth(from), to: formatMonth(to) },
    undated: computeCount(selectCells(cells, ({ year }) => year === null)).births,
  };
};

type Months = readonly [from: number, to: number];

const findSpan = (
  { courses, births }: Cells,
  { year, month }: CellFilter,
  thisMonth: number,
): Months | null => {
  if (year !== null && month !== null) {
    const end = toMonthOfYear(year, month);
    return [end - MONTHS_OF_YEAR, end];
  }
  const thisYear = Math.floor(thisMonth / MONTHS_OF_YEAR);
  const years = year === null ? findPlausibleYears(births, thisYear) : ([year, year] as const);
  if (years === null) return null;
  const [first, last] = years;
  const dated = [...courses, ...births].filter(
    (cell) => cell.year !== null && cell.year >= first && cell.year <= last,
  );
  const months = [...new Set(dated.filter((cell) => cell.month !== null).map(toMonthNumber))];
  const isYearWhole = (one: number): boolean =>
    year !== null || dated.some((cell) => cell.year === one && cell.month === null);
  const from = isYearWhole(first) ? toMonthOfYear(first, 1) : Math.min(...months);
  // Also shows later months of this year if births are dated there, correctly or not.
  const to = isYearWhole(last)
    ? Math.min(toMonthOfYear(last, MONTHS_OF_YEAR), last === thisYear ? thisMonth : Infinity)
    : from;
  return [from, Math.max(to, ...months)];
};

/** Back from the latest year that is not in the future, up to a gap with only a few births before it. */
const findPlausibleYears = (
  births: Cells['births'],
  thisYear: number,
): readonly [first: number, last: number] | null => {
  const counts = new Map<number, number>();
  for (const { year, count } of births)
    if (year !== null && year <= thisYear && year >= thisYear - MAX_YEARS_AGO)
      counts.set(year, (counts.get(year) ?? 0) + count);
  const years = [...counts.keys()].sort((a, b) => b - a);
  const [last] = years;
  if (last === undefined) return null;
  let first = last;
  for (const year of years) {
    const before = years.filter((one) => one <= year);
    const some = before.reduce((sum, one) => sum + (counts.get(one) ?? 0), 0);
    if (first - year > MAX_GAP_YEARS + 1 && some < MIN_CELL_SIZE) break;
    first = year;
  }
  return [first, last];
};

/** @param enough minimum number of births in most of the periods that have any */
const buildSeries = (
  cells: Cells,
  span: Months,
  { units, enough }: { readonly units: readonly (typeof UNITS)[number][]; readonly enough: number },
): Series => {
  const whole = computeCount(selectCells(cells, ({ month }) => month !== null)).births;
  const isMostlyByYear = whole * 2 < computeCount(cells).births;
  const candidates = units
    .map(({ unit, months }) => ({
      unit,
      periods: listPeriods(span, unit, months),
    }))
    .filter(({ unit, periods }) =>
      isMostlyByYear && units.length > 1
        ? unit === 'year'
        : periods.length <= MAX_PERIODS || unit === 'year',
    );
  // A single point shows no change over time.
  const readable = candidates.filter(({ periods }, at) => at === 0 || periods.length > 1);
  const found = readable.map(({ unit, periods }) => {
    const named = groupByPeriod(cells, unit);
    return {
      unit,
      periods: periods.map((period): PeriodFigures => {
        const own = named.get(period.name) ?? NONE;
        return { ...period, ...computeCount(own), rates: computeRates(own) };
      }),
      yearOnly: unit === 'year' ? 0 : computeCount(cells).births - whole,
    };
  });
  const isFull = ({ periods }: Series): boolean => {
    const some = periods.filter(({ births }) => births > 0);
    return some.filter(({ births }) => births >= enough).length * 2 >= some.length;
  };
  return found.find(isFull) ?? found.at(-1) ?? { unit: 'month', periods: [], yearOnly: 0 };
};

const NONE: Cells = { courses: [], births: [] };

const listPeriods = ([from, to]: Months, unit: TimeUnit, months: number): readonly TimePeriod[] => {
  const first = Math.floor(from / months);
  return Array.from({ length: Math.floor(to / months) - first + 1 }, (_, at) => {
    const start = (first + at) * months;
    const year = Math.floor(start / MONTHS_OF_YEAR);
    const month = (start % MONTHS_OF_YEAR) + 1;
    return {
      name: formatPeriod(year, month, unit),
      year,
      months: unit === 'year' ? null : [month, month + months - 1],
    };
  });
};

const formatPeriod = (year: number, month: number, unit: TimeUnit): string => {
  if (unit === 'year') return formatYear(year);
  if (unit === 'month') return `${formatYear(year)}-${String(month).padStart(2, '0')}`;
  return `${formatYear(year)}-Q${Math.ceil(month / MONTHS_OF_QUARTER)}`;
};

/** Cells without a month are only in their year. */
const groupByPeriod = (cells: Cells, unit: TimeUnit): ReadonlyMap<string, Cells> => {
  const found = new Map<
    string,
    { courses: Cells['courses'][number][]; births: Cells['births'][number][] }
  >();
  const groupOf = ({ year, month }: Cell) => {
    if (year === null || (month === null && unit !== 'year')) return null;
    const name = formatPeriod(year, month ?? 1, unit);
    const group = found.get(name) ?? { courses: [], births: [] };
    found.set(name, group);
    return group;
  };
  for (const cell of cells.courses) groupOf(cell)?.courses.push(cell);
  for (const cell of cells.births) groupOf(cell)?.births.push(cell);
  return found;
};

export const parsePeriod = (name: string): TimePeriod | null => {
  const [, years, , quarter, month] = /^(\d{4})(-Q([1-4])|-(0[1-9]|1[0-2]))?$/.exec(name) ?? [];
  if (years === undefined) return null;
  const year = Number(years);
  if (month !== undefined) return { name, year, months: [Number(month), Number(month)] };
  if (quarter === undefined) return { name, year, months: null };
  const last = Number(quarter) * MONTHS_OF_QUARTER;
  return { name, year, months: [last - MONTHS_OF_QUARTER + 1, last] };
};

/** Ignores cells without a month. @param last `YYYY-MM` */
export const selectMonths = (cells: Cells, last: string, months: number): Cells => {
  const to = parseMonth(last);
  return selectCells(cells, (cell) => isIn(cell, [to - months + 1, to]));
};

const isIn = (cell: Cell, [from, to]: Months): boolean =>
  cell.year !== null &&
  cell.month !== null &&
  toMonthNumber(cell) >= from &&
  toMonthNumber(cell) <= to;

const listYears = ([from, to]: Months): ReadonlySet<number> => {
  const first = Math.floor(from / MONTHS_OF_YEAR);
  const last = Math.floor(to / MONTHS_OF_YEAR);
  return new Set(Array.from({ length: last - first + 1 }, (_, at) => first + at));
};

const toMonthNumber = ({ year, month }: Cell): number => toMonthOfYear(year ?? 0, month ?? 1);

const toMonthOfYear = (year: number, month: number): number => year * MONTHS_OF_YEAR + month - 1;

/** Converts a month to a number that grows by one each month. @param month `YYYY-MM` */
export const parseMonth = (month: string): number => {
  const [year, number] = month.split('-');
  return toMonthOfYear(Number(year), Number(number));
};

const formatYear = (year: number): string => String(year).padStart(4, '0');

const formatMonth = (number: number): string =>
  formatPeriod(Math.floor(number / MONTHS_OF_YEAR), (number % MONTHS_OF_YEAR) + 1, 'month');

export const subtractMonths = (month: string, months: number): string =>
  formatMonth(parseMonth(month) - months);
