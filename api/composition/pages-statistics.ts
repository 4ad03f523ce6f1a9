import type { Router } from 'express';
import { readVersionIn } from '../../adapters/postgres/read-version.ts';
import {
  countExclusionsIn,
  findYearsIn,
  loadBenchmarkCellsFrom,
  loadPracticeCellsFrom,
} from '../../adapters/postgres/statistics.ts';
import { statisticsRouter } from '../pages/statistics/statistics-router.tsx';
import { findStatisticsWith, rememberStatistics } from '../statistics/practice-statistics.ts';
import type { SharedParts } from './parts.ts';

/** Wires the statistics pages to the read tables. */
export const statisticsPagesOf = ({ stores: { db } }: SharedParts): Router =>
  statisticsRouter({
    findStatistics: rememberStatistics(
      findStatisticsWith({
        loadPracticeCells: loadPracticeCellsFrom(db),
        loadBenchmarkCells: loadBenchmarkCellsFrom(db),
        countExclusions: countExclusionsIn(db),
      }),
      readVersionIn(db),
    ),
    findYears: findYearsIn(db),
  });
