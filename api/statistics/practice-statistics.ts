import {
  benchmarkOf,
  figuresOf,
  type PracticeStatistics,
} from '../../domain/statistics/figures.ts';
import type {
  CellFilter,
  CountExclusions,
  LoadBenchmarkCells,
  LoadPracticeCells,
} from '../../domain/statistics/ports.ts';

/** What statistics are made from. */
export interface StatisticsParts {
  readonly loadPracticeCells: LoadPracticeCells;
  readonly loadBenchmarkCells: LoadBenchmarkCells;
  readonly countExclusions: CountExclusions;
}

/** A practice as far as its statistics ask. */
export interface MeasuredPractice {
  readonly practiceId: string;
  readonly sandbox: boolean;
}

/** The figures of a practice with the benchmark: the one source of the page and of the command. */
export type FindStatistics = (
  practice: MeasuredPractice,
  filter: CellFilter,
) => Promise<PracticeStatistics>;

const nothingCompared = { practices: 0, cells: { courses: [], births: [] } };

/** @see FindStatistics */
export const findStatisticsWith =
  (parts: StatisticsParts): FindStatistics =>
  async ({ practiceId, sandbox }, filter) => {
    // spec "Provider identity": the role other is excluded from attendant-type benchmarks.
    const isCompared = filter.attendantRole !== 'other';
    const [cells, benchmark, excluded] = await Promise.all([
      parts.loadPracticeCells(practiceId, filter),
      isCompared ? parts.loadBenchmarkCells(filter) : nothingCompared,
      parts.countExclusions(practiceId),
    ]);
    return {
      ...figuresOf(cells),
      sandbox,
      excluded,
      benchmark: benchmarkOf(benchmark.practices, benchmark.cells),
    };
  };
