import type { Db } from '../../adapters/postgres/connection/database.ts';
import {
  countExclusionsIn,
  loadBenchmarkCellsFrom,
  loadPracticeCellsFrom,
} from '../../adapters/postgres/queries/statistics.ts';
import { type FindStatistics, findStatisticsWith } from '../statistics/practice-statistics.ts';

/** Wires the figures of a practice to the read tables, for the page and for the command. */
export const statisticsOf = (db: Db): FindStatistics =>
  findStatisticsWith({
    loadPracticeCells: loadPracticeCellsFrom(db),
    loadBenchmarkCells: loadBenchmarkCellsFrom(db),
    countExclusions: countExclusionsIn(db),
  });
