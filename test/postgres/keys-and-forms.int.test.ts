import * as assert from 'uvu/assert';
import { createSaveKeyUses } from '../../adapters/postgres/access/key-use.ts';
import { type Db, openDatabase } from '../../adapters/postgres/connection/database.ts';
import { createUsedForms } from '../../adapters/postgres/ephemeral/used-forms.ts';
import { migrate } from '../../adapters/postgres/migrations/migrate.ts';
import { createKeyUse } from '../../api/access/key-use.ts';
import { databaseSuite } from '../harness/postgres.ts';

const stores = databaseSuite('uses of keys and forms');

stores.before(async ({ db }) => {
  await migrate(db as never);
});

const usesIn = async (db: Db) =>
  (await db.selectFrom('app.key_use').selectAll().orderBy('key_id').execute()).map(
    ({ key_id, last_used_at, last_address }) => [key_id, last_used_at.toISOString(), last_address],
  );

stores('the last use of a key stays the last one, whoever writes it when', async ({ db }) => {
  let at = '2026-03-01T10:00:00.000Z';
  const faults: unknown[] = [];
  const use = createKeyUse(
    createSaveKeyUses(db, 'app.key_use'),
    () => new Date(at),
    (error) => void faults.push(error),
  );
  const earlier = createKeyUse(
    createSaveKeyUses(db, 'app.key_use'),
    () => new Date('2026-03-01T09:00:00Z'),
    (error) => void faults.push(error),
  );
  use.note('k-1', '203.0.113.1');
  at = '2026-03-01T10:00:30.000Z';
  use.note('k-1', '203.0.113.2');
  use.note('k-2', '203.0.113.3');
  await use.stop();
  earlier.note('k-1', '203.0.113.4');
  await earlier.stop();
  assert.equal(await usesIn(db), [
    ['k-1', at, '203.0.113.2'],
    ['k-2', at, '203.0.113.3'],
  ]);
  assert.equal(faults, []);
});

stores('a use that cannot be written is told, and harms nothing', async () => {
  const closed = openDatabase('postgres://nobody@127.0.0.1:1/none', 1);
  const faults: unknown[] = [];
  const use = createKeyUse(
    createSaveKeyUses(closed, 'app.key_use'),
    () => new Date(),
    (error) => void faults.push(error),
  );
  use.note('k-1', '203.0.113.1');
  await use.stop();
  assert.is(faults.length, 1);
  await closed.destroy();
});

stores('a form is taken by one of many, and can be given back', async ({ db }) => {
  const forms = createUsedForms(db);
  const taken = await Promise.all(Array.from({ length: 8 }, () => forms.take('ada', 'form')));
  assert.is(taken.filter(Boolean).length, 1);
  assert.is(await forms.take('ben', 'form'), true);
  await forms.release('ada', 'form');
  assert.is(await forms.take('ada', 'form'), true);
  assert.is(await forms.take('ada', 'form'), false);
});

stores.run();
