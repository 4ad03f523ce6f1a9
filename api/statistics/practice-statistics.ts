import { computeBenchmark } from '../../domain/statistics/benchmark.ts';
import {
  computeFigures,
  computeRates,
  countUnknown,
  type PracticeStatistics,
  selectCells,
} from '../../domain/statistics/figures.ts';
import { findNotable, type Notable, type TwoPeriods } from '../../domain/statistics/notable.ts';
import {
  computeOverTime,
  type OverTime,
  selectMonths,
  subtractMonths,
} from '../../domain/statistics/over-time.ts';
import type {
  CellFilter,
  Cells,
  CountExclusions,
  LoadBenchmarkCells,
  LoadPracticeCells,
} from '../../domain/statistics/ports.ts';
import { createVersionedCache } from '../process/remember.ts';

export interface MeasuredPractice {
  readonly practiceId: string;
  readonly sandbox: boolean;
}

export interface DatedStatistics extends PracticeStatistics {
  readonly unknown: Readonly<Record<string, number>>;
  /** `null` if no birth has a date. */
  readonly overTime: OverTime | null;
  readonly notable: Notable;
  /** Last of the twelve months that are compared; `null` if a year or month is selected. */
  readonly lastMonthCompared: string | null;
}

/** Includes the benchmark. @param thisMonth `YYYY-MM`, by the practice's clock */
export type FindStatistics = (
  practice: MeasuredPractice,
  filter: CellFilter,
  thisMonth: string,
) => Promise<DatedStatistics>;

/** Enough for the practices and filters that people use repeatedly. */
const MAX_REMEMBERED = 200;

/**
 * Computing is too slow for a page, yet a void must show at once.
 * @param readVersion returns a new version after every change of the read tables
 */
export const cacheStatistics = (
  find: FindStatistics,
  readVersion: () => Promise<string>,
): FindStatistics => {
  const remembered = createVersionedCache(
    readVersion,
    (key) => find(...(JSON.parse(key) as Parameters<FindStatistics>)),
    MAX_REMEMBERED,
  );
  return ({ practiceId, sandbox }, filter, thisMonth) =>
    remembered(JSON.stringify([{ practiceId, sandbox }, filter, thisMonth]));
};

/** Enough for the practices whose people look at figures at the same time. */
const MAX_PRACTICES = 10;

/** After a question without a filter, those with one select from its cells until the tables change. */
export const cacheCells = (
  load: LoadPracticeCells,
  readVersion: () => Promise<string>,
): LoadPracticeCells => {
  let cache = { version: '', cells: new Map<string, Cells>() };
  return async (practiceId, filter) => {
    const version = await readVersion();
    if (version !== cache.version) cache = { version, cells: new Map() };
    const { cells } = cache;
    const whole = cells.get(practiceId);
    if (whole !== undefined) return selectFiltered(whole, filter);
    const fresh = await load(practiceId, filter);
    if (Object.values(filter).some((value) => value !== null)) return fresh;
    if (cells.size >= MAX_PRACTICES) cells.clear();
    cells.set(practiceId, fresh);
    return fresh;
  };
};

const selectFiltered = (cells: Cells, { year, month, place, attendantRole }: CellFilter): Cells =>
  selectCells(
    cells,
    (cell) =>
      (year === null || cell.year === year) &&
      (month === null || cell.month === month) &&
      (place === null || cell.place === place) &&
      (attendantRole === null || cell.attendantRole === attendantRole),
  );

interface StatisticsReads {
  readonly loadPracticeCells: LoadPracticeCells;
  readonly loadBenchmarkCells: LoadBenchmarkCells;
  readonly countExclusions: CountExclusions;
}

const nothingCompared = { practices: 0, cells: { courses: [], births: [] } };

export const loadStatistics = async (
  reads: StatisticsReads,
  practice: MeasuredPractice,
  filter: CellFilter,
): Promise<PracticeStatistics> => {
  const [cells, compared] = await Promise.all([
    reads.loadPracticeCells(practice.practiceId, filter),
    findCompared(reads, practice, filter),
  ]);
  return { ...computeFigures(cells), ...compared };
};

/** @see FindStatistics */
export const loadDatedStatistics = async (
  reads: StatisticsReads,
  practice: MeasuredPractice,
  filter: CellFilter,
  thisMonth: string,
): Promise<DatedStatistics> => {
  const load = (year: number | null): Promise<Cells> =>
    reads.loadPracticeCells(practice.practiceId, { ...filter, year, month: null });
  const { year } = filter;
  const [loaded, before, compared] = await Promise.all([
    load(year),
    year === null ? null : load(year - 1),
    findCompared(reads, practice, filter),
  ]);
  const { own, overall, recent, past, lastMonthCompared } = listPeriods(
    loaded,
    before,
    filter,
    thisMonth,
  );
  const figures = computeFigures(own);
  const periods: TwoPeriods = { recent: computeRates(recent), past: computeRates(past) };
  return {
    ...figures,
    ...compared,
    unknown: countUnknown(own),
    overTime: computeOverTime(overall, filter, thisMonth),
    notable: findNotable(figures.rates, compared.benchmark.rates, periods),
    lastMonthCompared,
  };
};

const findCompared = async (
  reads: StatisticsReads,
  { practiceId, sandbox }: MeasuredPractice,
  filter: CellFilter,
): Promise<Pick<PracticeStatistics, 'sandbox' | 'excluded' | 'benchmark'>> => {
  // spec "Provider identity": the role other is excluded from attendant-type benchmarks.
  const isCompared = filter.attendantRole !== 'other';
  const [benchmark, excluded] = await Promise.all([
    isCompared ? reads.loadBenchmarkCells(practiceId, filter) : nothingCompared,
    reads.countExclusions(practiceId),
  ]);
  return { sandbox, excluded, benchmark: computeBenchmark(benchmark.practices, benchmark.cells) };
};

const YEAR_IN_MONTHS = 12;

/**
 * Compares a year with the year before, a month with the twelve months before it, or without a
 * filter, the last twelve whole months with the twelve before.
 */
const listPeriods = (
  loaded: Cells,
  before: Cells | null,
  { year, month }: CellFilter,
  thisMonth: string,
) => {
  if (before === null) {
    const last = subtractMonths(thisMonth, 1);
    return {
      own: loaded,
      overall: loaded,
      recent: selectMonths(loaded, last, YEAR_IN_MONTHS),
      past: selectMonths(loaded, subtractMonths(last, YEAR_IN_MONTHS), YEAR_IN_MONTHS),
      lastMonthCompared: last,
    };
  }
  if (month === null)
    return { own: loaded, overall: loaded, recent: loaded, past: before, lastMonthCompared: null };
  const both: Cells = {
    courses: [...before.courses, ...loaded.courses],
    births: [...before.births, ...loaded.births],
  };
  const own = selectCells(loaded, (cell) => cell.month === month);
  const yearMonth = `${year}-${String(month).padStart(2, '0')}`;
  return {
    own,
    overall: selectMonths(both, yearMonth, YEAR_IN_MONTHS + 1),
    recent: own,
    past: selectMonths(both, subtractMonths(yearMonth, 1), YEAR_IN_MONTHS),
    lastMonthCompared: null,
  };
};
