import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { applyChanges } from '../../adapters/postgres/apply-changes.ts';
import type { Db } from '../../adapters/postgres/database.ts';
import { ensureReadSchema } from '../../adapters/postgres/read-schema.ts';
import { type Change, patch, put, replace } from '../../projections/projection.ts';
import { databaseSuite } from '../support/database-suite.ts';

const changes = databaseSuite('applying changes');

changes.before(async ({ db }) => {
  await Promise.all([1, 2].map(() => ensureReadSchema(db, 'registry')));
});

const practice = (practice_id: string, name: string) =>
  put('practice', {
    ...{ practice_id, name, sandbox: false, sandbox_since: null, beta: false },
    time_zone: 'America/New_York',
  });

const practicesOf = async (db: Db, ...ids: readonly string[]) =>
  await db
    .selectFrom('read.practice')
    .select(['name', 'sandbox', 'beta'])
    .where('practice_id', 'in', ids)
    .orderBy('practice_id')
    .execute();

/** The same changes in one batch and one by one: the tables must be the same. */
const bothWays = async (db: Db, changesOf: (id: string) => readonly Change[]) => {
  await applyChanges(db, 'read', changesOf('together'));
  for (const change of changesOf('apart')) await applyChanges(db, 'read', [change]);
  const [apart, together] = [await practicesOf(db, 'apart'), await practicesOf(db, 'together')];
  assert.equal(together, apart);
  return together;
};

changes(
  'a patch after a put, and a put after a patch, in one batch as one by one',
  async ({ db }) => {
    const rows = await bothWays(db, (practice_id) => [
      practice(practice_id, 'first'),
      patch('practice', { practice_id }, { beta: true }),
      practice(practice_id, 'second'),
      patch('practice', { practice_id }, { sandbox: true }),
      patch('practice', { practice_id }, { name: 'third' }),
    ]);
    assert.equal(rows, [{ name: 'third', sandbox: true, beta: false }]);
  },
);

changes('patches of different columns leave each other alone', async ({ db }) => {
  await applyChanges(db, 'read', [practice('p-1', 'one'), practice('p-2', 'two')]);
  await applyChanges(db, 'read', [
    patch('practice', { practice_id: 'p-1' }, { beta: true }),
    patch('practice', { practice_id: 'p-2' }, { name: 'zwei' }),
    patch('practice', { practice_id: 'nobody' }, { name: 'none' }),
  ]);
  assert.equal(await practicesOf(db, 'p-1', 'p-2', 'nobody'), [
    { name: 'one', sandbox: false, beta: true },
    { name: 'zwei', sandbox: false, beta: false },
  ]);
});

changes('the rows of an owner are replaced as a whole', async ({ db }) => {
  const submission_uuid = randomUUID();
  const other = randomUUID();
  const rows = (owner: string, ...fingerprints: readonly string[]) =>
    replace(
      'record_fingerprint',
      { submission_uuid: owner },
      fingerprints.map((fingerprint) => ({
        ...{ submission_uuid: owner, fingerprint, practice_id: 'p' },
      })),
    );
  const held = async () =>
    (
      await db
        .selectFrom('read.record_fingerprint')
        .select('fingerprint')
        .orderBy('fingerprint')
        .execute()
    ).map(({ fingerprint }) => fingerprint);
  await applyChanges(db, 'read', [rows(submission_uuid, 'a', 'b'), rows(other, 'z')]);
  assert.equal(await held(), ['a', 'b', 'z']);
  await applyChanges(db, 'read', [rows(submission_uuid, 'b', 'c')]);
  assert.equal(await held(), ['b', 'c', 'z']);
  await applyChanges(db, 'read', [rows(submission_uuid)]);
  assert.equal(await held(), ['z']);
});

changes(
  'what came before a replacement is gone with it, in one batch as one by one',
  async ({ db }) => {
    const rows = (owner: string): readonly Change[] => {
      const key = { submission_uuid: owner, child: 0 };
      const birth = (sex: string) => ({
        ...{ ...key, practice_id: 'p', year: null, month: null, sex, fetal_death: false },
        ...{ place: null, source: 'csv', plurality: 1, attendant: null },
        ...{ preterm: null, low_birth_weight: null, very_low_birth_weight: null, low_apgar: null },
      });
      return [
        put('birth_fact', birth('male')),
        patch('birth_fact', key, { sex: 'other' }),
        replace('birth_fact', { submission_uuid: owner }, [birth('female')]),
        patch('birth_fact', key, { year: 2026 }),
      ];
    };
    const [together, apart] = [randomUUID(), randomUUID()];
    await applyChanges(db, 'read', rows(together));
    for (const change of rows(apart)) await applyChanges(db, 'read', [change]);
    const held = await db
      .selectFrom('read.birth_fact')
      .select(['sex', 'year'])
      .where('submission_uuid', 'in', [together, apart])
      .execute();
    assert.equal(held, [
      { sex: 'female', year: 2026 },
      { sex: 'female', year: 2026 },
    ]);
  },
);

changes('tables of another log are refused', async ({ db }) => {
  try {
    await ensureReadSchema(db, 'another registry');
    assert.unreachable();
  } catch (error) {
    assert.is((error as Error).name, 'ReadTablesOfAnotherLog');
  }
});

changes.run();
