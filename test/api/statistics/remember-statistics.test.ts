import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  cacheCells,
  cacheStatistics,
  type FindStatistics,
} from '../../../api/statistics/practice-statistics.ts';
import { NO_FILTER } from '../../../domain/statistics/ports.ts';

const remembering = suite('remembered figures');

const practice = { practiceId: 'cedar', sandbox: false };

remembering('they are added up again only after the read tables have changed', async () => {
  const asked: string[] = [];
  let version = 'epoch 1 0';
  const add: FindStatistics = async ({ practiceId }, { year }) => {
    asked.push(`${practiceId} ${year}`);
    return { births: asked.length } as never;
  };
  const find = cacheStatistics(add, async () => version);
  assert.is((await find(practice, NO_FILTER, '2026-11')).births, 1);
  assert.is((await find({ ...practice }, { ...NO_FILTER }, '2026-11')).births, 1);
  assert.is((await find(practice, { ...NO_FILTER, year: 2026 }, '2026-11')).births, 2);
  version = 'epoch 2 0';
  assert.is((await find(practice, NO_FILTER, '2026-11')).births, 3);
  assert.equal(asked, ['cedar null', 'cedar 2026', 'cedar null']);
});

remembering('what cannot be dated is not answered from memory', async () => {
  const find = cacheStatistics(
    async () => ({}) as never,
    async () => {
      throw new Error('The database is away.');
    },
  );
  try {
    await find(practice, NO_FILTER, '2026-11');
    assert.unreachable();
  } catch (error) {
    assert.is((error as Error).message, 'The database is away.');
  }
});

const cell = {
  month: 1,
  place: null,
  source: 'fhir_push',
  plurality: 1,
  attendantRole: null,
  tallies: {},
};
const CELLS = { courses: [2025, 2026].map((year) => ({ ...cell, year, count: 1 })), births: [] };

remembering('a filter selects from cells without one, until the tables change', async () => {
  const years: (number | null)[] = [];
  let version = 'epoch 1 0';
  const load = cacheCells(
    async (_, { year }) => {
      years.push(year);
      return CELLS as never;
    },
    async () => version,
  );
  const of2026 = { ...NO_FILTER, year: 2026 };
  assert.equal(await load('cedar', of2026), CELLS);
  assert.equal(await load('cedar', NO_FILTER), CELLS);
  assert.equal((await load('cedar', of2026)).courses, CELLS.courses.slice(1));
  assert.equal(years, [2026, null]);
  await load('oak', of2026);
  version = 'epoch 2 0';
  await load('cedar', of2026);
  assert.equal(years, [2026, null, 2026, 2026]);
});

remembering.run();
