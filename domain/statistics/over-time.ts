import { MIN_CELL_SIZE } from './definitions.ts';
import { type Count, computeCount, computeRates, type Rates, selectCells } from './figures.ts';
import type { Cell, CellFilter, Cells } from './ports.ts';

/** Months are counted from the year 0, so that they can be compared and added. */
const MONTHS_OF_YEAR = 12;
const MONTHS_OF_QUARTER = 3;

const UNITS = [
  { unit: 'month', months: 1 },
  { unit: 'quarter', months: MONTHS_OF_QUARTER },
  { unit: 'year', months: MONTHS_OF_YEAR },
] as const;

/** Period of one point of a chart. */
export type TimeUnit = (typeof UNITS)[number]['unit'];

/** More points than these cannot be read one by one. */
const MAX_PERIODS = 24;

/** No birth is recorded that was longer ago, unless its date is mistyped. Years. */
const MAX_YEARS_AGO = 60;

/** Years without any birth, beyond which a few births were mistyped. */
const MAX_GAP_YEARS = 3;

/** A period of a chart: `2026-05`, `2026-Q2` or `2026`. */
export interface TimePeriod {
  readonly name: string;
  readonly year: number;
  /** First and last month, 1 to 12; null for a whole year. */
  readonly months: readonly [first: number, last: number] | null;
}

/** The births of a period with the rates of it. */
export interface PeriodFigures extends TimePeriod, Count {
  readonly rates: Rates;
}

/** Series of a chart over time, and what it leaves out. */
export interface Series {
  readonly unit: TimeUnit;
  /** From the first to the last, those without births too. */
  readonly periods: readonly PeriodFigures[];
  /** Births of which only the year is known, where the chart is by month or quarter. */
  readonly yearOnly: number;
}

/** Births and rates over time. */
export interface OverTime {
  /** By the finest unit that can be read. */
  readonly births: Series;
  /** By the finest unit of which most periods have enough births for a rate. */
  readonly rates: Series;
  /** Births with a date before or after what the charts cover; null: there are none. */
  readonly outside: Outside | null;
  /** Births without a date. */
  readonly undated: number;
}

/** Births that the charts do not cover. */
export interface Outside extends Span {
  readonly births: number;
}

/** From a month to a month, both `YYYY-MM`. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/**
 * Puts the cells of a question on a time axis that ends this year at the latest. Of all years those are
 * covered that are plausible; of one month, the year up to it.
 * @param cells of the question; of one month, those of the year before it too
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
  // The year up to a month is made of parts of two.
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
    const asked = toMonthOfYear(year, month);
    return [asked - MONTHS_OF_YEAR, asked];
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
  // Later months of this year are shown if births are dated there, by mistake or not.
  const to = isYearWhole(last)
    ? Math.min(toMonthOfYear(last, MONTHS_OF_YEAR), last === thisYear ? thisMonth : Infinity)
    : from;
  return [from, Math.max(to, ...months)];
};

/**
 * The years from which births are plausible: back from the latest that is not in the future, as long as there
 * is no gap of some years with only a few births before it.
 */
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

/** @param enough births that most periods with any have to have */
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
  // A single point shows nothing over time.
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

/** The cells of each period by its name; those without a month are in none but their year. */
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

/** The period of a name; null if it is none. */
export const parsePeriod = (name: string): TimePeriod | null => {
  const [, years, , quarter, month] = /^(\d{4})(-Q([1-4])|-(0[1-9]|1[0-2]))?$/.exec(name) ?? [];
  if (years === undefined) return null;
  const year = Number(years);
  if (month !== undefined) return { name, year, months: [Number(month), Number(month)] };
  if (quarter === undefined) return { name, year, months: null };
  const last = Number(quarter) * MONTHS_OF_QUARTER;
  return { name, year, months: [last - MONTHS_OF_QUARTER + 1, last] };
};

/** The cells of some months, whole months known only. @param last `YYYY-MM` */
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

/** A month as a number: the next one is one more. @param month `YYYY-MM` */
export const parseMonth = (month: string): number => {
  const [year, number] = month.split('-');
  return toMonthOfYear(Number(year), Number(number));
};

const formatYear = (year: number): string => String(year).padStart(4, '0');

const formatMonth = (number: number): string =>
  formatPeriod(Math.floor(number / MONTHS_OF_YEAR), (number % MONTHS_OF_YEAR) + 1, 'month');

/** Returns the month a number of months before another. @param month `YYYY-MM` */
export const subtractMonths = (month: string, months: number): string =>
  formatMonth(parseMonth(month) - months);
