import { sql } from 'kysely';
import * as assert from 'uvu/assert';
import { createRowCipher } from '../../adapters/crypto/sealing.ts';
import {
  createDraftStore,
  createDropExpiredDrafts,
} from '../../adapters/postgres/ephemeral/drafts.ts';
import { migrate } from '../../adapters/postgres/migrations/migrate.ts';
import type { DraftName, DraftOwner } from '../../domain/intake/form/drafts.ts';
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
const typed = { values: { 'mother.family_name': 'Åström' }, version: null };

table('what was typed comes back, the latest of it', async ({ db }) => {
  const drafts = createDraftStore(db, cipher);
  await drafts.save(owner, nameOf(1), typed);
  await drafts.save(owner, nameOf(1), { values: { 'mother.family_name': 'Ödman' }, version: 2 });
  const found = await drafts.find(owner, nameOf(1));
  assert.equal(found?.values, { 'mother.family_name': 'Ödman' });
  assert.is(found?.version, 2);
  assert.not(found?.isFinished);
  assert.is((await drafts.begun(owner, 'new')).length, 1);
  assert.is((await drafts.begun(owner, 'correct')).length, 0);
});

table('nothing typed stands in the table', async ({ db }) => {
  await createDraftStore(db, cipher).save(owner, nameOf(1), typed);
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
  await drafts.save(owner, nameOf(1), typed);
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
    await drafts.save(owner, nameOf(1), typed);
    await drafts.finish(owner, nameOf(1), typed);
    assert.is(await drafts.save(owner, nameOf(1), typed), null);
    assert.equal(await drafts.begun(owner, 'new'), []);
    assert.ok((await drafts.find(owner, nameOf(1)))?.isFinished);
  },
);

table('a discarded one is gone', async ({ db }) => {
  const drafts = createDraftStore(db, cipher);
  await drafts.save(owner, nameOf(1), typed);
  await drafts.discard({ ...owner, accountId: 'another' }, nameOf(1));
  assert.is((await drafts.begun(owner, 'new')).length, 1);
  await drafts.discard(owner, nameOf(1));
  assert.is(await drafts.find(owner, nameOf(1)), null);
});

table('after a day it is not shown, and deleted', async ({ db }) => {
  const drafts = createDraftStore(db, cipher);
  await drafts.save(owner, nameOf(1), typed);
  await drafts.save(owner, nameOf(2), typed);
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
  for (let place = 1; place <= 22; place += 1) await drafts.save(owner, nameOf(place), typed);
  const begun = await drafts.begun(owner, 'new');
  assert.is(begun.length, 20);
  assert.is(begun[0]?.draftId, nameOf(22).draftId);
});

table.run();
