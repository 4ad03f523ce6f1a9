import type { Router } from 'express';
import { readVersionIn } from '../../../adapters/postgres/projector/read-version.ts';
import { findYearsIn } from '../../../adapters/postgres/queries/statistics.ts';
import { statisticsRouter } from '../../pages/statistics/statistics-router.tsx';
import { rememberStatistics } from '../../statistics/practice-statistics.ts';
import type { SharedParts } from '../parts.ts';
import { statisticsOf } from '../statistics.ts';

/** Wires the statistics pages to the read tables. */
export const statisticsPagesOf = ({ stores: { db } }: SharedParts): Router =>
  statisticsRouter({
    findStatistics: rememberStatistics(statisticsOf(db), readVersionIn(db)),
    findYears: findYearsIn(db),
  });
