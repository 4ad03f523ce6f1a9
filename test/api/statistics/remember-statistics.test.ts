import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
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

remembering.run();
