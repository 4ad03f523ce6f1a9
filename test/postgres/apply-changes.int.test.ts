import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { buildScript } from '../../adapters/package-internals/postgres-driver/scripts.ts';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import { applyChanges, buildStatements } from '../../adapters/postgres/projector/apply-changes.ts';
import { ensureReadSchema } from '../../adapters/postgres/projector/read-schema.ts';
import { type Change, replaceAll, update, upsert } from '../../projections/projection.ts';
import { databaseSuite } from '../harness/postgres.ts';

const changes = databaseSuite('applying changes');

changes.before(async ({ db }) => {
  await Promise.all([1, 2].map(() => ensureReadSchema(db, 'registry')));
});

const practice = (practice_id: string, name: string) =>
  upsert('practice', {
    practice_id,
    name,
    sandbox: false,
    sandbox_since: null,
    beta: false,
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
      update('practice', { practice_id }, { beta: true }),
      practice(practice_id, 'second'),
      update('practice', { practice_id }, { sandbox: true }),
      update('practice', { practice_id }, { name: 'third' }),
    ]);
    assert.equal(rows, [{ name: 'third', sandbox: true, beta: false }]);
  },
);

changes('patches of different columns leave each other alone', async ({ db }) => {
  await applyChanges(db, 'read', [practice('p-1', 'one'), practice('p-2', 'two')]);
  await applyChanges(db, 'read', [
    update('practice', { practice_id: 'p-1' }, { beta: true }),
    update('practice', { practice_id: 'p-2' }, { name: 'zwei' }),
    update('practice', { practice_id: 'nobody' }, { name: 'none' }),
  ]);
  assert.equal(await practicesOf(db, 'p-1', 'p-2', 'nobody'), [
    { name: 'one', sandbox: false, beta: true },
    { name: 'zwei', sandbox: false, beta: false },
  ]);
});

/** A row of a figure, of a record's part. */
const fact = (submission_uuid: string, part: number, sex: string | null) => ({
  submission_uuid,
  part,
  practice_id: 'p',
  is_course: part === 0,
  is_birth: true,
  year: null,
  month: null,
  sex,
  fetal_death: false,
  place: null,
  source: 'csv',
  plurality: 1,
  attendant: null,
});

changes('the rows of an owner are replaced as a whole', async ({ db }) => {
  const submission_uuid = randomUUID();
  const other = randomUUID();
  const rows = (owner: string, ...sexes: readonly string[]) =>
    replaceAll(
      'statistics_fact',
      { submission_uuid: owner },
      sexes.map((sex, part) => fact(owner, part, sex)),
    );
  const held = async () =>
    (await db.selectFrom('read.statistics_fact').select('sex').orderBy('sex').execute()).map(
      ({ sex }) => sex,
    );
  await applyChanges(db, 'read', [rows(submission_uuid, 'a', 'b'), rows(other, 'z')]);
  assert.equal(await held(), ['a', 'b', 'z']);
  await applyChanges(db, 'read', [rows(submission_uuid, 'b', 'c')]);
  assert.equal(await held(), ['b', 'c', 'z']);
  await applyChanges(db, 'read', [rows(submission_uuid)]);
  assert.equal(await held(), ['z']);
  await applyChanges(db, 'read', [rows(other)]);
});

changes(
  'what came before a replacement is gone with it, in one batch as one by one',
  async ({ db }) => {
    const rows = (owner: string): readonly Change[] => {
      const key = { submission_uuid: owner, part: 0 };
      return [
        upsert('statistics_fact', fact(owner, 0, 'male')),
        update('statistics_fact', key, { sex: 'other' }),
        replaceAll('statistics_fact', { submission_uuid: owner }, [fact(owner, 0, 'female')]),
        update('statistics_fact', key, { year: 2026 }),
      ];
    };
    const [together, apart] = [randomUUID(), randomUUID()];
    await applyChanges(db, 'read', rows(together));
    for (const change of rows(apart)) await applyChanges(db, 'read', [change]);
    const held = await db
      .selectFrom('read.statistics_fact')
      .select(['sex', 'year'])
      .where('submission_uuid', 'in', [together, apart])
      .execute();
    assert.equal(held, [
      { sex: 'female', year: 2026 },
      { sex: 'female', year: 2026 },
    ]);
  },
);

changes('a text is stored as it is, also where rows are copied', async ({ db }) => {
  const name = 'a\r\nb\tc\\n\\N "d", {e} $rows$';
  const copied = { ...practice('copied', name), isNew: true };
  const statements = buildStatements('read', [copied], 'insert').flatMap((ofTable) => ofTable());
  await db.executeQuery(buildScript(statements));
  await applyChanges(db, 'read', [practice('written', name)]);
  const held = await practicesOf(db, 'copied', 'written');
  assert.equal(
    held.map((one) => one.name),
    [name, name],
  );
});

changes('tables of another log are refused', async ({ db }) => {
  try {
    await ensureReadSchema(db, 'another registry');
    assert.unreachable();
  } catch (error) {
    assert.is((error as Error).name, 'ReadTablesOfAnotherLog');
  }
});

changes.run();
