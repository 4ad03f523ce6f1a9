import { sql } from 'kysely';
import * as assert from 'uvu/assert';
import { createRowCipher } from '../../adapters/crypto/sealing.ts';
import { createDropExpiredLaunches } from '../../adapters/postgres/ephemeral/ehr-launches.ts';
import { createPrefillReviewStore } from '../../adapters/postgres/ephemeral/prefill-reviews.ts';
import { migrate } from '../../adapters/postgres/migrations/migrate.ts';
import type { DraftEdition } from '../../domain/mapping/form/drafts.ts';
import type { PrefillName, PrefillReview } from '../../domain/mapping/us-core/prefill.ts';
import { databaseSuite } from '../harness/postgres.ts';
import { soleKey } from '../support/in-memory.ts';

const table = databaseSuite('reviews of pre-fills');
const cipher = createRowCipher(soleKey());

table.before(async ({ db }) => {
  await migrate(db as never);
});
table.before.each(async ({ db }) => {
  await db.deleteFrom('app.prefill_review').execute();
});

const name: PrefillName = {
  browser: 'a browser',
  prefillId: '00000000-0000-4000-8000-000000000001',
};
const typed = (family: string): PrefillReview => ({
  as: 'mother',
  values: { 'mother.family_name': family },
});
/** Edition of a form that was opened at a revision, in a tab. */
const opened = (revision: number, editor = 'one tab') => ({ revision, editor });
const savedAs = { practiceId: 'practice', submissionUuid: '00000000-0000-4000-8000-00000000000a' };

table('what was typed comes back, the latest of it, to the same browser only', async ({ db }) => {
  const reviews = createPrefillReviewStore(db, cipher);
  assert.is(await reviews.find(name), null);
  await reviews.keep(name, typed('Åström'), opened(0));
  await reviews.keep(name, typed('Ödman'), opened(0));
  assert.equal(await reviews.find(name), { ...typed('Ödman'), revision: 2 });
  assert.is(await reviews.find({ ...name, browser: 'another' }), null);
  const { rows } = await sql<{ text: string }>`
    select p::text as text from app.prefill_review p`.execute(db);
  assert.not.match(rows.map(({ text }) => text).join(), /dman/);
});

const TABS: readonly {
  readonly name: string;
  /** Rows that were kept before, by the tab that kept each. */
  readonly before: readonly (DraftEdition | null)[];
  readonly edition: DraftEdition | null;
  readonly kind: 'saved' | 'changed' | 'outdated';
}[] = [
  { name: 'the first save', before: [], edition: opened(0), kind: 'saved' },
  { name: 'the same tab again', before: [opened(0)], edition: opened(0), kind: 'saved' },
  {
    name: 'a tab that was opened after it',
    before: [opened(0)],
    edition: opened(1, 'another tab'),
    kind: 'saved',
  },
  {
    name: 'a tab that was opened before it',
    before: [opened(0)],
    edition: opened(0, 'another tab'),
    kind: 'changed',
  },
  {
    name: 'a tab that another has followed',
    before: [opened(0), opened(1, 'another tab')],
    edition: opened(0),
    kind: 'changed',
  },
  {
    name: 'a tab that chose to replace it',
    before: [opened(0), opened(1, 'another tab')],
    edition: opened(2, 'one tab after the question'),
    kind: 'saved',
  },
  {
    name: 'an earlier request of the same tab',
    before: [{ ...opened(0), sequence: 2 }],
    edition: { ...opened(0), sequence: 1 },
    kind: 'outdated',
  },
  {
    name: 'a later request of the same tab',
    before: [{ ...opened(0), sequence: 2 }],
    edition: { ...opened(0), sequence: 3 },
    kind: 'saved',
  },
  {
    name: 'the same tab without a script',
    before: [{ ...opened(0), sequence: 2 }],
    edition: opened(0),
    kind: 'saved',
  },
  { name: 'a page of 0.2', before: [opened(0)], edition: null, kind: 'saved' },
  {
    name: 'a tab that was opened before a page of 0.2 saved it',
    before: [null],
    edition: opened(0),
    kind: 'changed',
  },
];

for (const { name: row, before, edition, kind } of TABS)
  table(`${row}: ${kind}`, async ({ db }) => {
    const reviews = createPrefillReviewStore(db, cipher);
    for (const one of before) await reviews.keep(name, typed('Åström'), one);
    const saved = await reviews.keep(name, typed('Ödman'), edition);
    assert.is(saved.kind, kind);
    const family = kind === 'saved' ? 'Ödman' : 'Åström';
    assert.equal((await reviews.find(name))?.values, typed(family).values);
    if (saved.kind === 'changed')
      assert.equal(saved.review, { ...typed('Åström'), revision: before.length });
  });

table('of two tabs that save at once one is asked', async ({ db }) => {
  const reviews = createPrefillReviewStore(db, cipher);
  const saved = await Promise.all(
    ['one', 'two', 'three'].map((tab) => reviews.keep(name, typed(tab), opened(0, tab))),
  );
  assert.equal(saved.map(({ kind }) => kind).sort(), ['changed', 'changed', 'saved']);
});

table('once it was saved a late click keeps nothing, and finds the record', async ({ db }) => {
  const reviews = createPrefillReviewStore(db, cipher);
  await reviews.keep(name, typed('Åström'), opened(0));
  assert.is(await reviews.findSaved(name), null);
  await reviews.finish(name, savedAs);
  assert.is(await reviews.find(name), null);
  assert.equal(await reviews.findSaved(name), savedAs);
  assert.equal(await reviews.keep(name, typed('Late'), opened(1)), { kind: 'finished' });
  assert.equal(await reviews.findSaved(name), savedAs);
});

table('what is dropped or half an hour old is gone', async ({ db }) => {
  const reviews = createPrefillReviewStore(db, cipher);
  await reviews.keep(name, typed('Åström'), opened(0));
  await reviews.drop(name);
  assert.is(await reviews.find(name), null);
  await reviews.keep(name, typed('Ödman'), opened(1));
  await sql`update app.prefill_review set expires_at = now() - interval '1 second'`.execute(db);
  assert.is(await reviews.find(name), null);
  await createDropExpiredLaunches(db)();
  assert.equal(await db.selectFrom('app.prefill_review').select('browser').execute(), []);
});

table('what comes late does not save a discarded review, kept before or not', async ({ db }) => {
  const reviews = createPrefillReviewStore(db, cipher);
  for (const before of [[], [opened(0)]]) {
    for (const edition of before) await reviews.keep(name, typed('Åström'), edition);
    await reviews.drop(name);
    for (const edition of [opened(0), opened(1, 'another tab'), null])
      assert.equal(await reviews.keep(name, typed('Ödman'), edition), { kind: 'finished' });
    assert.is(await reviews.find(name), null);
    assert.is(await reviews.findSaved(name), null);
    await db.deleteFrom('app.prefill_review').execute();
  }
});

table.run();
