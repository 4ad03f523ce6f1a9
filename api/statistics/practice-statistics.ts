import { benchmarkOf } from '../../domain/statistics/benchmark.ts';
import { figuresOf, type PracticeStatistics } from '../../domain/statistics/figures.ts';
import type { CellFilter } from '../../domain/statistics/ports.ts';
import { rememberUnder } from '../access/remember.ts';
import type { Reads } from '../registry/reads.ts';

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

/** Figures of a few practices under a few filters: what people look at again and again. */
const MOST_REMEMBERED = 200;

/**
 * Remembers figures as long as the read tables stay as they are: adding up a hundred thousand
 * records takes longer than a page may, and a void still leaves the figures at once.
 * @param readVersion another one after every change of the read tables
 */
export const rememberStatistics = (
  find: FindStatistics,
  readVersion: () => Promise<string>,
): FindStatistics => {
  const remembered = rememberUnder(
    readVersion,
    (key) => find(...(JSON.parse(key) as Parameters<FindStatistics>)),
    MOST_REMEMBERED,
  );
  return ({ practiceId, sandbox }, filter) =>
    remembered(JSON.stringify([{ practiceId, sandbox }, filter]));
};

const nothingCompared = { practices: 0, cells: { courses: [], births: [] } };

/** The figures of a practice, by the read tables as they are now. */
export const statisticsOf = async (
  reads: Pick<Reads, 'loadPracticeCells' | 'loadBenchmarkCells' | 'countExclusions'>,
  { practiceId, sandbox }: MeasuredPractice,
  filter: CellFilter,
): Promise<PracticeStatistics> => {
  // spec "Provider identity": the role other is excluded from attendant-type benchmarks.
  const isCompared = filter.attendantRole !== 'other';
  const [cells, benchmark, excluded] = await Promise.all([
    reads.loadPracticeCells(practiceId, filter),
    isCompared ? reads.loadBenchmarkCells(practiceId, filter) : nothingCompared,
    reads.countExclusions(practiceId),
  ]);
  return {
    ...figuresOf(cells),
    sandbox,
    excluded,
    benchmark: benchmarkOf(benchmark.practices, benchmark.cells),
  };
};
