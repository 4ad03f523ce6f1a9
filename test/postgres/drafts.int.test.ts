import { sql } from 'kysely';
import * as assert from 'uvu/assert';
import { createRowCipher } from '../../adapters/crypto/sealing.ts';
import {
  createDraftStore,
  createDropExpiredDrafts,
} from '../../adapters/postgres/ephemeral/drafts.ts';
import { migrate } from '../../adapters/postgres/migrations/migrate.ts';
import type { DraftName, DraftOwner } from '../../domain/mapping/form/drafts.ts';
import { databaseSuite } from '../harness/postgres.ts';
import { soleKey } from '../support/in-memory.ts';

const table = databaseSuite('drafts');
const cipher = createRowCipher(soleKey());

table.before(async ({ db }) => {
  await migrate(db as never);
});
table.before.each(async ({ db }) => {
  await db.deleteFrom('app.draft').execute();
});

const owner: DraftOwner = { accountId: 'account', practiceId: 'practice' };
const nameOf = (place: number): DraftName => ({
  form: 'new',
  draftId: `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`,
});
const editionOf = (revision: number, editor = 'one') => ({ revision, editor });
const typed = { values: { 'mother.family_name': 'Åström' }, version: null };

table('what was typed comes back, the latest of it', async ({ db }) => {
  const drafts = createDraftStore(db, cipher);
  await drafts.save(owner, nameOf(1), typed, null);
  await drafts.save(
    owner,
    nameOf(1),
    { values: { 'mother.family_name': 'Ödman' }, version: 2 },
    null,
  );
  const found = await drafts.find(owner, nameOf(1));
  assert.equal(found?.values, { 'mother.family_name': 'Ödman' });
  assert.is(found?.version, 2);
  assert.not(found?.isFinished);
  assert.is((await drafts.begun(owner, 'new')).length, 1);
  assert.is((await drafts.begun(owner, 'correct')).length, 0);
});

table('nothing typed stands in the table', async ({ db }) => {
  await createDraftStore(db, cipher).save(owner, nameOf(1), typed, null);
  const { rows } = await sql<{ text: string }>`select draft::text as text from app.draft`.execute(
    db,
  );
  assert.is(rows.length, 1);
  assert.not.match(rows[0]?.text ?? '', /str/);
  const [row] = await db.selectFrom('app.draft').select('sealed').execute();
  assert.not(row?.sealed.includes('family_name'));
});

table('nobody else finds it, and it does not open in another place', async ({ db }) => {
  const drafts = createDraftStore(db, cipher);
  await drafts.save(owner, nameOf(1), typed, null);
  for (const other of [
    { ...owner, accountId: 'another' },
    { ...owner, practiceId: 'another' },
  ]) {
    assert.is(await drafts.find(other, nameOf(1)), null);
    assert.equal(await drafts.begun(other, 'new'), []);
  }
  await db.updateTable('app.draft').set({ account_id: 'another' }).execute();
  try {
    await drafts.find({ ...owner, accountId: 'another' }, nameOf(1));
    assert.unreachable();
  } catch (error) {
    assert.is((error as Error).name, 'SealedRowUnreadable');
  }
});

table(
  'a form that was saved as a record is no draft any more, whatever comes late',
  async ({ db }) => {
    const drafts = createDraftStore(db, cipher);
    await drafts.save(owner, nameOf(1), typed, null);
    await drafts.finish(owner, nameOf(1), { ...typed, savedAs: 'record' });
    for (const edition of [null, editionOf(0), editionOf(1)])
      assert.equal(await drafts.save(owner, nameOf(1), typed, edition), { kind: 'finished' });
    assert.equal(await drafts.begun(owner, 'new'), []);
    assert.ok((await drafts.find(owner, nameOf(1)))?.isFinished);
  },
);

table('a discarded one is gone', async ({ db }) => {
  const drafts = createDraftStore(db, cipher);
  await drafts.save(owner, nameOf(1), typed, null);
  await drafts.discard({ ...owner, accountId: 'another' }, nameOf(1));
  assert.is((await drafts.begun(owner, 'new')).length, 1);
  await drafts.discard(owner, nameOf(1));
  assert.equal(await drafts.begun(owner, 'new'), []);
  const row = await drafts.find(owner, nameOf(1));
  assert.equal([row?.isFinished, row?.values], [true, {}]);
});

const bea = { values: { 'mother.family_name': 'Bea' }, version: null };

for (const [what, opened, expected] of [
  ['opened before there was a draft', { revision: 0, editor: 'two' }, 'changed'],
  ['opened with an earlier one', { revision: 1, editor: 'two' }, 'changed'],
  ['opened with what was saved last', { revision: 2, editor: 'two' }, 'saved'],
  ['that saved it last itself', { revision: 0, editor: 'one' }, 'saved'],
  ['of 0.2', null, 'saved'],
] as const)
  table(`a draft that one form saved twice, saved by one ${what}: ${expected}`, async ({ db }) => {
    const drafts = createDraftStore(db, cipher);
    for (const _ of [1, 2]) await drafts.save(owner, nameOf(1), typed, editionOf(0, 'one'));
    const saved = await drafts.save(owner, nameOf(1), bea, opened);
    assert.is(saved.kind, expected);
    const { values } = expected === 'saved' ? bea : typed;
    assert.equal((await drafts.find(owner, nameOf(1)))?.values, values);
    // Nothing that the other one clears is lost either.
    await drafts.clear(owner, nameOf(1), editionOf(1, 'three'));
    assert.equal((await drafts.find(owner, nameOf(1)))?.values, values);
  });

/** A request of a form with a script. */
const countedAs = (sequence: number, revision = 0) => ({ ...editionOf(revision), sequence });

for (const [what, later, expected] of [
  ['an earlier request of the same form', countedAs(1), 'outdated'],
  ['an earlier request that was opened with it', countedAs(1, 1), 'outdated'],
  ['the same request', countedAs(2), 'saved'],
  ['a later request of the same form', countedAs(3), 'saved'],
  ['a request without a script', editionOf(0), 'saved'],
  ['another form that was opened with it', { ...countedAs(1, 1), editor: 'two' }, 'saved'],
] as const)
  table(`after a request of a form, ${what} is ${expected}`, async ({ db }) => {
    const drafts = createDraftStore(db, cipher);
    await drafts.save(owner, nameOf(1), typed, countedAs(2));
    assert.is((await drafts.save(owner, nameOf(1), bea, later)).kind, expected);
    const { values } = expected === 'saved' ? bea : typed;
    assert.equal((await drafts.find(owner, nameOf(1)))?.values, values);
  });

table('an earlier request neither empties a draft nor fills an emptied one', async ({ db }) => {
  const drafts = createDraftStore(db, cipher);
  await drafts.save(owner, nameOf(1), typed, countedAs(2));
  await drafts.clear(owner, nameOf(1), countedAs(1));
  assert.is((await drafts.begun(owner, 'new')).length, 1);
  for (const place of [1, 2]) {
    await drafts.clear(owner, nameOf(place), countedAs(4));
    assert.is((await drafts.save(owner, nameOf(place), bea, countedAs(3))).kind, 'outdated');
  }
  assert.equal(await drafts.begun(owner, 'new'), []);
  // Anything typed afterwards is kept, in any form.
  assert.is((await drafts.save(owner, nameOf(1), bea, countedAs(5))).kind, 'saved');
  assert.is((await drafts.save(owner, nameOf(2), bea, editionOf(0, 'two'))).kind, 'saved');
});

table('an earlier request that arrives at the same time is not kept', async ({ db }) => {
  const drafts = createDraftStore(db, cipher);
  const sequences = [3, 1, 5, 2, 4];
  await Promise.all(
    sequences.map((sequence) =>
      drafts.save(
        owner,
        nameOf(1),
        { values: { place: `${sequence}` }, version: null },
        countedAs(sequence),
      ),
    ),
  );
  assert.equal((await drafts.find(owner, nameOf(1)))?.values, { place: '5' });
});

table('two forms that save at once: one of them is told', async ({ db }) => {
  const drafts = createDraftStore(db, cipher);
  await drafts.save(owner, nameOf(1), typed, editionOf(0, 'one'));
  const saved = await Promise.all(
    ['two', 'three'].map((editor) => drafts.save(owner, nameOf(1), bea, editionOf(1, editor))),
  );
  assert.equal(saved.map(({ kind }) => kind).sort(), ['changed', 'saved']);
});

table('what comes late does not save a discarded draft again', async ({ db }) => {
  const drafts = createDraftStore(db, cipher);
  await drafts.save(owner, nameOf(1), typed, editionOf(0, 'one'));
  await drafts.discard(owner, nameOf(1));
  for (const edition of [editionOf(0, 'one'), editionOf(1, 'one'), editionOf(1, 'two')])
    assert.is((await drafts.save(owner, nameOf(1), bea, edition)).kind, 'changed');
  assert.is((await drafts.save(owner, nameOf(1), bea, null)).kind, 'finished');
  assert.equal(await drafts.begun(owner, 'new'), []);
  // A form that was opened afterwards may.
  const { revision = 0 } = (await drafts.find(owner, nameOf(1))) ?? {};
  assert.is((await drafts.save(owner, nameOf(1), bea, editionOf(revision, 'two'))).kind, 'saved');
  assert.is((await drafts.begun(owner, 'new')).length, 1);
});

table(
  'what comes late does not save a form that was discarded before its first save',
  async ({ db }) => {
    const drafts = createDraftStore(db, cipher);
    await drafts.discard(owner, nameOf(1));
    assert.is((await drafts.save(owner, nameOf(1), typed, editionOf(0))).kind, 'changed');
    assert.is((await drafts.save(owner, nameOf(1), typed, null)).kind, 'finished');
    assert.equal(await drafts.begun(owner, 'new'), []);
    // Discarded again, as by a second click, it still is.
    await drafts.discard(owner, nameOf(1));
    const { isFinished, revision, values } = (await drafts.find(owner, nameOf(1))) ?? {};
    assert.equal([isFinished, revision, values], [true, 1, {}]);
  },
);

table('after a day it is not shown, and deleted', async ({ db }) => {
  const drafts = createDraftStore(db, cipher);
  await drafts.save(owner, nameOf(1), typed, null);
  await drafts.save(owner, nameOf(2), typed, null);
  await db
    .updateTable('app.draft')
    .set({ expires_at: sql<Date>`now() - interval '1 second'` })
    .where('draft_id', '=', nameOf(1).draftId)
    .execute();
  assert.is(await drafts.find(owner, nameOf(1)), null);
  assert.is((await drafts.begun(owner, 'new')).length, 1);
  await createDropExpiredDrafts(db)();
  assert.is((await db.selectFrom('app.draft').select('draft_id').execute()).length, 1);
});

table('of more than twenty the oldest make place', async ({ db }) => {
  const drafts = createDraftStore(db, cipher);
  for (let place = 1; place <= 22; place += 1) await drafts.save(owner, nameOf(place), typed, null);
  const begun = await drafts.begun(owner, 'new');
  assert.is(begun.length, 20);
  assert.is(begun[0]?.draftId, nameOf(22).draftId);
});

table.run();
