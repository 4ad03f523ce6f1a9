import { type Kysely, Migrator, sql } from 'kysely';
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Db, openDatabase } from '../../adapters/postgres/connection/database.ts';
import { migrate } from '../../adapters/postgres/migrations/migrate.ts';
import { createTestDatabase } from '../harness/postgres.ts';
import {
  listDefinitions,
  readCompressed,
  restoreDatabase,
  rowsOf,
  type StoredCopy,
} from '../harness/stored-copy.ts';

const wholeCopy = await readCompressed<StoredCopy>('test/fixtures/0.2.0/registry.json.br');
const isOfApp = (text: string): boolean => /\b(?:app|public)\b/.test(text);
/** Without the log and the read tables, which no migration changes. */
const copy: StoredCopy = {
  ...wholeCopy,
  before: wholeCopy.before.filter(isOfApp),
  after: wholeCopy.after.filter(isOfApp),
  rows: Object.fromEntries(Object.entries(wholeCopy.rows).filter(([table]) => isOfApp(table))),
};
const APPLIED_BY_0_2_0 = rowsOf<{ name: string }>(copy, 'public.app_migration')
  .map(({ name }) => name)
  .sort();

/** Migrations that previews of 0.3 added to those of 0.2.0, with what each had changed. */
const PREVIEWS = [
  [
    '0028-queue-changes',
    'drop table app.queue_change; drop function app.note_queue_change() cascade',
  ],
  ['0029-draft-revisions', 'alter table app.draft drop revision, drop editor'],
  ['0030-log-origins', 'drop table app.later_checkpoint, app.checkpoint_refusal'],
  ['0031-file-checks', 'drop table app.file_check'],
  ['0032-draft-sequences', 'alter table app.draft drop sequence'],
] as const;

/** What this version adds to an adopted database. */
const ADDED_TO_THEM = [
  '0002-queue-progress',
  'alter table app.submission drop in_progress_by, drop in_progress_since',
] as const;
const ALL_APPLIED = ['0001-schema', ADDED_TO_THEM[0]];

interface Context {
  url: string;
  db: Db;
  client: pg.Client;
  stop: () => Promise<void>;
}

/** Opens an empty database. */
const open = async (): Promise<Context> => {
  const postgres = await createTestDatabase();
  const db = openDatabase(postgres.url, 4);
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  return {
    url: postgres.url,
    db,
    client,
    stop: async () => {
      await client.end();
      await db.destroy();
      await postgres.stop();
    },
  };
};

const adopting = suite<Context>('adopting a database of 0.2');
adopting.before.each(async (context) => {
  Object.assign(context, await open());
  await restoreDatabase(copy, context.client);
});
adopting.after.each(({ stop }) => stop());

/** Statements that define the schema `app`. */
const listAppDefinitions = async (client: pg.Client): Promise<readonly string[]> => {
  const { before, after } = await listDefinitions(client);
  return [...before, ...after]
    .filter((text) => /\bapp\b/.test(text) && !text.startsWith('select setval'))
    .map((text) => text.replace(/\s+/g, ' '));
};

const fresh = await open();
await migrate(fresh.db as never);
const DEFINITIONS_OF_NEW = await listAppDefinitions(fresh.client);
await fresh.stop();

const listApplied = async (client: pg.Client) =>
  (
    await client.query<{ name: string }>('select name from public.app_migration order by 1')
  ).rows.map(({ name }) => name);

const setApplied = async (client: pg.Client, names: readonly string[]) => {
  await client.query('delete from public.app_migration');
  await client.query(`insert into public.app_migration select unnest($1::text[]), ''`, [names]);
};

adopting(
  'by processes that start together, it becomes what a new one is',
  async ({ db, client }) => {
    await Promise.all([migrate(db as never), migrate(db as never)]);
    assert.equal(await listAppDefinitions(client), DEFINITIONS_OF_NEW);
    assert.equal(await listApplied(client), ALL_APPLIED);
    const sums = async (table: string) =>
      (
        await client.query(`
        select practice_id, sum(courses)::integer as courses, sum(bytes)::integer as bytes
        from app.${table} group by 1 order by 1`)
      ).rows;
    const queued = await sums('submission');
    assert.ok(queued.length > 0);
    assert.equal(await sums('queue_change'), queued);
  },
);

adopting('each preview of 0.3 does, too', async ({ db, client }) => {
  await migrate(db as never);
  for (let count = 0; count <= PREVIEWS.length; count += 1) {
    for (const [, undo] of [...PREVIEWS.slice(count), ADDED_TO_THEM]) await client.query(undo);
    const added = PREVIEWS.slice(0, count).map(([name]) => name);
    await setApplied(client, [...APPLIED_BY_0_2_0, ...added]);
    await migrate(db as never);
    assert.equal(await listAppDefinitions(client), DEFINITIONS_OF_NEW, added.join(', '));
    assert.equal(await listApplied(client), ALL_APPLIED, added.join(', '));
  }
});

adopting(
  'a running process of 0.2 can still write, and one that starts is refused',
  async ({ db, client }) => {
    await migrate(db as never);
    await client.query(`
    insert into app.draft (account_id, form, draft_id, practice_id, sealed, expires_at)
    values ('account', 'new', gen_random_uuid(), 'practice', '', now())`);
    await client.query(`
    insert into app.submission (ingestion_id, attempt, practice_id, sender_id, correlation_id, received_at,
      courses, bytes, expires_at)
    values ('of-0.2', gen_random_uuid(), 'practice-of-0.2', 'key', 'c', now(), 2, 30, now())`);
    const { rows } = await client.query(
      `select courses::integer, bytes::integer from app.queue_change where practice_id = 'practice-of-0.2'`,
    );
    assert.equal(rows, [{ courses: 2, bytes: 30 }]);

    const release = Object.fromEntries(
      APPLIED_BY_0_2_0.map((name) => [name, { up: () => Promise.reject(new Error(name)) }]),
    );
    const { error } = await new Migrator({
      db: db as unknown as Kysely<unknown>,
      provider: { getMigrations: async () => release },
      migrationTableName: 'app_migration',
      migrationLockTableName: 'app_migration_lock',
    }).migrateToLatest();
    // 0.2 takes this message of the migrator for one of a newer version.
    assert.is(
      (error as Error).message,
      'corrupted migrations: previously executed migration 0001-schema is missing',
    );
  },
);

/** Refusal of a database with these migrations, which stays as it is. */
const refuse = async ({ db, client }: Context, applied: readonly string[]): Promise<string> => {
  await setApplied(client, applied);
  const definitions = await listAppDefinitions(client);
  const refusal = await migrate(db as never).catch((error: Error) => error);
  assert.ok(refusal instanceof Error);
  assert.is(refusal.name, 'MigrationFailed');
  assert.equal(await listApplied(client), applied);
  assert.equal(await listAppDefinitions(client), definitions);
  return refusal.message;
};

adopting('one of 0.1 is refused until 0.2 has upgraded it', async (context) => {
  const message = await refuse(context, APPLIED_BY_0_2_0.slice(0, -1));
  assert.match(message, /^This database is of version 0\.1: upgrade to 0\.2\.x first\. /);
});

adopting('one with a migration that no release has is refused as a newer one', async (context) => {
  const message = await refuse(context, [...APPLIED_BY_0_2_0, '0033-of-later']);
  assert.match(message, /^A newer version of the service has changed this database/);
});

adopting('a step that fails changes nothing', async ({ db, client }) => {
  const definitions = await listAppDefinitions(client);
  await sql`create table app.file_check (id integer)`.execute(db);
  const refusal = await migrate(db as never).catch((error: Error) => error);
  assert.is(refusal?.name, 'MigrationFailed');
  await sql`drop table app.file_check`.execute(db);
  assert.equal(await listAppDefinitions(client), definitions);
  assert.equal(await listApplied(client), APPLIED_BY_0_2_0);
});

adopting.run();
