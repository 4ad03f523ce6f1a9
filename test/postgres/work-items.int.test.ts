import * as assert from 'uvu/assert';
import { createWorkItems } from '../../adapters/postgres/read-model/work-items.ts';
import { WORK_KINDS, type WorkKind } from '../../domain/work-items/items.ts';
import { databaseSuite } from '../harness/postgres.ts';
import {
  EVERYTHING,
  fillWorkItems,
  OF_EACH,
  PAGES,
  PRACTICE,
  SEAT,
} from './support/many-work-items.ts';

const work = databaseSuite('things to do among many records');
work.before(({ db }) => fillWorkItems(db));

work('every kind is found, and counted', async ({ db }) => {
  const { counts, found, items } = await createWorkItems(db).find(SEAT, EVERYTHING, {
    skip: 0,
    most: 25,
  });
  // The review comes up once a practice, and not yet.
  const expected = new Map<WorkKind, number>(
    WORK_KINDS.filter((kind) => kind !== 'access-review').map((kind) => [kind, OF_EACH]),
  );
  assert.equal(new Map([...counts.byKind].sort()), new Map([...expected].sort()));
  assert.equal([counts.total, found, items.length], [8_000, 8_000, 25]);
  // Of every kind that is about a birth, 18 of 19 days are late.
  assert.is(counts.late, 1_895);
  assert.is(counts.mine, 0);
});

work('a page of any kind is found, the last one too', async ({ db }) => {
  const { find, details, countForMenu } = createWorkItems(db);
  for (const [filter, skip] of PAGES) {
    const { items } = await find(SEAT, { ...EVERYTHING, ...filter }, { skip, most: 25 });
    assert.is(items.length, 25);
    assert.ok((await details(PRACTICE, items)) !== undefined);
  }
  assert.equal(await countForMenu(SEAT), { total: 100, isChanging: false });
});

work.run();
