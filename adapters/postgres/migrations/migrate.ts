import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, type Migration, type MigrationResultSet, Migrator, sql } from 'kysely';
import { isDatabaseOutage } from '../connection/outage.ts';
import { adoptDatabase, FIRST_OF_0_2, LAST_OF_0_2 } from './adopt-0.2.ts';
import { schema } from './schema.ts';

export class MigrationFailed extends Error {
  override readonly name = 'MigrationFailed';
}

const SCHEMA = '0001-schema';

/** Names the worker that has an entry in progress, and since when. Workers of 0.2 leave both alone. */
const queueProgress: Migration = {
  async up(db) {
    // A claim makes a row longer; with less room on its page, the update would touch the indexes.
    await sql`
      alter table app.submission
        add column in_progress_by uuid, add column in_progress_since timestamptz,
        set (fillfactor = 45)`.execute(db);
  },
};

const MIGRATIONS: Readonly<Record<string, Migration>> = {
  [SCHEMA]: schema,
  '0002-queue-progress': queueProgress,
};

/** Under an advisory lock, so processes that start together migrate once. @throws MigrationFailed */
export const migrate = async (db: Kysely<never>): Promise<void> => {
  const applied = await listApplied(db);
  if (applied.join() === Object.keys(MIGRATIONS).join()) return;
  const isOf02 = applied.includes(FIRST_OF_0_2);
  if (isOf02 && !applied.includes(LAST_OF_0_2))
    throw new MigrationFailed(
      'This database is of version 0.1: upgrade to 0.2.x first. Start version 0.2.1 on it, wait until that is ready, and then start this version.',
    );
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...MIGRATIONS }) },
    migrationTableName: 'app_migration',
    migrationLockTableName: 'app_migration_lock',
  });
  const runAll = async (): Promise<MigrationResultSet> => {
    try {
      if (isOf02) await adoptDatabase(db, SCHEMA);
    } catch (error) {
      return { error };
    }
    return migrator.migrateToLatest();
  };
  let { error, results } = await runAll();
  for (let again = 1; isOfSchemaThatIsGone(error) && again < MAX_TRIES; again += 1) {
    await sleep(again * LONGER_MS);
    ({ error, results } = await runAll());
  }
  if (error === undefined) return;
  if (isDatabaseOutage(error)) throw error;
  if (isOfNewerVersion(error))
    throw new MigrationFailed(
      'A newer version of the service has changed this database, and this one does not know how. Start the newer version; to go back, restore a backup of before the upgrade.',
    );
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName;
  throw new MigrationFailed(
    `The migration ${failed ?? 'of the database'} does not go through. Check the user and the password in DATABASE_URL, and that the user may create schemas and owns those of the registry.`,
    {
      cause: error,
    },
  );
};

/** Spares most starts the migrator, whose scans of the catalog take longer than its other queries. */
const listApplied = async (db: Kysely<never>): Promise<readonly string[]> => {
  try {
    const { rows } = await sql<{ name: string }>`
      select name from app_migration order by name`.execute(db);
    return rows.map(({ name }) => name);
  } catch (error) {
    // A new database, or one that the migrator cannot use either: it says so.
    if (isDatabaseOutage(error)) throw error;
    return [];
  }
};

/** Many retries: on a slow machine, rebuilds may create and drop tables during each scan. */
const MAX_TRIES = 50;
const LONGER_MS = 10;

/** A rebuild may drop or rename tables during the scan. SQLSTATE invalid_schema_name, undefined_*. */
const isOfSchemaThatIsGone = (error: unknown): boolean =>
  ['3F000', '42P01', '42703'].includes(String((error as { code?: unknown } | undefined)?.code));

/** Matched by message, which only names a migration, because the migrator has no code for it. */
const isOfNewerVersion = (error: unknown): boolean =>
  error instanceof Error &&
  /^corrupted migrations: previously executed migration \S+ is missing$/.test(error.message);
