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

/** A practice as far as its statistics ask. */
export interface MeasuredPractice {
  readonly practiceId: string;
  readonly sandbox: boolean;
}

/** The figures with what the page says about them: how they came about over time, and what stands out. */
export interface DatedStatistics extends PracticeStatistics {
  /** How often each rate is not known. */
  readonly unknown: Readonly<Record<string, number>>;
  /** Null: there is no dated birth. */
  readonly overTime: OverTime | null;
  readonly notable: Notable;
  /** The month that the last of the two periods of twelve months ends with; null where years are compared. */
  readonly comparedTo: string | null;
}

/**
 * The figures of a practice with the benchmark, as the page shows them.
 * @param thisMonth `YYYY-MM`, by the clock of the practice
 */
export type FindStatistics = (
  practice: MeasuredPractice,
  filter: CellFilter,
  thisMonth: string,
) => Promise<DatedStatistics>;

/** Figures of a few practices under a few filters: what people look at again and again. */
const MAX_REMEMBERED = 200;

/**
 * Remembers figures as long as the read tables stay as they are: adding up a hundred thousand
 * records takes longer than a page may, and a void still leaves the figures at once.
 * @param readVersion another one after every change of the read tables
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

interface StatisticsReads {
  readonly loadPracticeCells: LoadPracticeCells;
  readonly loadBenchmarkCells: LoadBenchmarkCells;
  readonly countExclusions: CountExclusions;
}

const nothingCompared = { practices: 0, cells: { courses: [], births: [] } };

/** The figures of a practice, by the read tables as they are now. */
export const loadStatistics = async (
  reads: StatisticsReads,
  practice: MeasuredPractice,
  filter: CellFilter,
): Promise<PracticeStatistics> => {
  const [cells, compared] = await Promise.all([
    reads.loadPracticeCells(practice.practiceId, filter),
    comparedWith(reads, practice, filter),
  ]);
  return { ...computeFigures(cells), ...compared };
};

/** The same with how they came about over time, and what stands out. @see FindStatistics */
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
    comparedWith(reads, practice, filter),
  ]);
  const { own, overall, recent, past, comparedTo } = periodsOf(loaded, before, filter, thisMonth);
  const figures = computeFigures(own);
  const periods: TwoPeriods = { recent: computeRates(recent), past: computeRates(past) };
  return {
    ...figures,
    ...compared,
    unknown: countUnknown(own),
    overTime: computeOverTime(overall, filter, thisMonth),
    notable: findNotable(figures.rates, compared.benchmark.rates, periods),
    comparedTo,
  };
};

const comparedWith = async (
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
 * What is asked for, what the charts show, and the two periods that are compared: a year with the one before it,
 * a month with the twelve before it, of all years the last twelve whole months with the twelve before them.
 */
const periodsOf = (
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
      comparedTo: last,
    };
  }
  if (month === null)
    return { own: loaded, overall: loaded, recent: loaded, past: before, comparedTo: null };
  const both: Cells = {
    courses: [...before.courses, ...loaded.courses],
    births: [...before.births, ...loaded.births],
  };
  const own = selectCells(loaded, (cell) => cell.month === month);
  const asked = `${year}-${String(month).padStart(2, '0')}`;
  return {
    own,
    overall: selectMonths(both, asked, YEAR_IN_MONTHS + 1),
    recent: own,
    past: selectMonths(both, subtractMonths(asked, 1), YEAR_IN_MONTHS),
    comparedTo: null,
  };
};
