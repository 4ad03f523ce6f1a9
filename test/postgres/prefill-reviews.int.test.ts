import { sql } from 'kysely';
import * as assert from 'uvu/assert';
import { createRowCipher } from '../../adapters/crypto/sealing.ts';
import { createDropExpiredLaunches } from '../../adapters/postgres/ephemeral/ehr-launches.ts';
import { createPrefillReviewStore } from '../../adapters/postgres/ephemeral/prefill-reviews.ts';
import { migrate } from '../../adapters/postgres/migrations/migrate.ts';
import type { PrefillName, PrefillReview } from '../../domain/intake/us-core/prefill.ts';
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
const savedAs = { practiceId: 'practice', submissionUuid: '00000000-0000-4000-8000-00000000000a' };

table('what was typed comes back, the latest of it, to the same browser only', async ({ db }) => {
  const reviews = createPrefillReviewStore(db, cipher);
  assert.is(await reviews.find(name), null);
  await reviews.keep(name, typed('Åström'));
  await reviews.keep(name, typed('Ödman'));
  assert.equal(await reviews.find(name), typed('Ödman'));
  assert.is(await reviews.find({ ...name, browser: 'another' }), null);
  const { rows } = await sql<{ text: string }>`
    select p::text as text from app.prefill_review p`.execute(db);
  assert.not.match(rows.map(({ text }) => text).join(), /dman/);
});

table('once it was saved a late click keeps nothing, and finds the record', async ({ db }) => {
  const reviews = createPrefillReviewStore(db, cipher);
  await reviews.keep(name, typed('Åström'));
  assert.is(await reviews.findSaved(name), null);
  await reviews.finish(name, savedAs);
  assert.is(await reviews.find(name), null);
  assert.equal(await reviews.findSaved(name), savedAs);
  assert.is(await reviews.keep(name, typed('Late')), null);
  assert.equal(await reviews.findSaved(name), savedAs);
});

table('what is dropped or half an hour old is gone', async ({ db }) => {
  const reviews = createPrefillReviewStore(db, cipher);
  await reviews.keep(name, typed('Åström'));
  await reviews.drop(name);
  assert.is(await reviews.find(name), null);
  await reviews.keep(name, typed('Ödman'));
  await sql`update app.prefill_review set expires_at = now() - interval '1 second'`.execute(db);
  assert.is(await reviews.find(name), null);
  await createDropExpiredLaunches(db)();
  assert.equal(await db.selectFrom('app.prefill_review').select('browser').execute(), []);
});

table.run();
