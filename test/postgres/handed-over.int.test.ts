import { sql } from 'kysely';
import * as assert from 'uvu/assert';
import { createRowCipher } from '../../adapters/crypto/sealing.ts';
import {
  createDropExpiredHandoffs,
  createHandoffStore,
} from '../../adapters/postgres/ephemeral/handoffs.ts';
import { migrate } from '../../adapters/postgres/migrations/migrate.ts';
import { databaseSuite } from '../harness/postgres.ts';
import { soleKey } from '../support/in-memory.ts';

const table = databaseSuite('births that were handed over');
const cipher = createRowCipher(soleKey());

table.before(async ({ db }) => {
  await migrate(db as never);
});
table.before.each(async ({ db }) => {
  await db.deleteFrom('app.handed_over').execute();
});

const birth = (id: string, family: string, memberId = 'scribe') => ({
  id,
  memberId,
  isFromFile: false,
  values: { 'mother.family_name': family },
});

table('they are listed oldest first, and found with what was typed', async ({ db }) => {
  const handoffs = createHandoffStore(db, cipher);
  await handoffs.save('practice', birth('one', 'Åström'));
  await handoffs.save('practice', birth('two', 'Ödman'));
  const listed = await handoffs.births('practice');
  assert.equal(
    listed.map(({ id, memberId }) => [id, memberId]),
    [
      ['one', 'scribe'],
      ['two', 'scribe'],
    ],
  );
  assert.equal((await handoffs.find('practice', 'one'))?.values, birth('one', 'Åström').values);
  assert.equal((await handoffs.births('practice')).length, 2);
});

table('the same one is handed over once, and only by its owner', async ({ db }) => {
  const handoffs = createHandoffStore(db, cipher);
  await handoffs.save('practice', birth('one', 'Åström'));
  await handoffs.save('practice', birth('one', 'Ödman'));
  await handoffs.save('practice', birth('one', 'Other', 'another'));
  await handoffs.save('elsewhere', birth('one', 'Other'));
  assert.equal(
    (await handoffs.births('practice')).map(({ values }) => values),
    [{ 'mother.family_name': 'Ödman' }],
  );
});

table(
  'another practice neither finds nor ends it, nor opens it in its own rows',
  async ({ db }) => {
    const handoffs = createHandoffStore(db, cipher);
    await handoffs.save('practice', birth('one', 'Åström'));
    assert.is(await handoffs.find('elsewhere', 'one'), null);
    assert.not(await handoffs.drop('elsewhere', 'one'));
    await db.updateTable('app.handed_over').set({ practice_id: 'elsewhere' }).execute();
    try {
      await handoffs.find('elsewhere', 'one');
      assert.unreachable();
    } catch (error) {
      assert.is((error as Error).name, 'SealedRowUnreadable');
    }
  },
);

table('nothing typed is readable in the table', async ({ db }) => {
  await createHandoffStore(db, cipher).save('practice', birth('one', 'Åström'));
  const [row] = await db.selectFrom('app.handed_over').select('sealed').execute();
  assert.not(row?.sealed.includes('family_name'));
});

table('after 30 days it is not listed, and deleted', async ({ db }) => {
  const handoffs = createHandoffStore(db, cipher);
  await handoffs.save('practice', birth('one', 'Åström'));
  await handoffs.save('practice', birth('two', 'Ödman'));
  const [one] = await handoffs.births('practice');
  const days = ((one?.expiresAt.getTime() ?? 0) - (one?.handedAt.getTime() ?? 0)) / 86_400_000;
  assert.is(Math.round(days), 30);
  await db
    .updateTable('app.handed_over')
    .set({ expires_at: sql<Date>`now() - interval '1 second'` })
    .where('id', '=', 'one')
    .execute();
  assert.is(await handoffs.find('practice', 'one'), null);
  await createDropExpiredHandoffs(db)();
  assert.equal((await db.selectFrom('app.handed_over').select('id').execute()).length, 1);
});

table.run();
