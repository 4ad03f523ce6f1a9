import { type Kysely, type Migration, Migrator } from 'kysely';
import { writePath } from './migrations/0001-write-path.ts';
import { passwords } from './migrations/0002-passwords.ts';
import { rateLimit } from './migrations/0003-rate-limit.ts';
import { isDatabaseOutage } from './outage.ts';

/** A migration of the schema `app` did not go through. */
export class MigrationFailed extends Error {
  override readonly name = 'MigrationFailed';
}

const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-write-path': writePath,
  '0002-passwords': passwords,
  '0003-rate-limit': rateLimit,
};

/**
 * Brings the schema `app` up to date. Kysely's migrator takes an advisory lock: processes that
 * start together migrate once.
 * @throws MigrationFailed naming the migration
 */
export const migrate = async (db: Kysely<never>): Promise<void> => {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...MIGRATIONS }) },
    migrationTableName: 'app_migration',
    migrationLockTableName: 'app_migration_lock',
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  if (isDatabaseOutage(error)) throw error;
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName;
  throw new MigrationFailed(`The migration ${failed ?? 'of the database'} did not go through.`, {
    cause: error,
  });
};
