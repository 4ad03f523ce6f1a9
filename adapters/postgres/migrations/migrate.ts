import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import { isDatabaseOutage } from '../connection/outage.ts';
import { writePath } from './0001-write-path.ts';
import { passwords } from './0002-passwords.ts';
import { rateLimit } from './0003-rate-limit.ts';
import { sessions } from './0004-sessions.ts';
import { oneTimePasswords } from './0005-one-time-passwords.ts';
import { stagedImports } from './0006-staged-imports.ts';
import { drafts } from './0007-drafts.ts';
import { keysAndForms } from './0008-keys-and-forms.ts';
import { ehrLaunches } from './0009-ehr-launches.ts';
import { prefillReviews } from './0010-prefill-reviews.ts';
import { entriesInDoubt } from './0011-entries-in-doubt.ts';
import { notedAccess } from './0012-noted-access.ts';
import { knownPlaces } from './0013-known-places.ts';
import { notesSetAside } from './0014-notes-set-aside.ts';
import { queueInPlace } from './0015-queue-in-place.ts';
import { idempotentReplays } from './0016-idempotent-replays.ts';
import { oneDurableWrite } from './0017-one-durable-write.ts';
import { accounts } from './0018-accounts.ts';
import { secondFactors } from './0019-second-factors.ts';
import { passkeys } from './0020-passkeys.ts';
import { singleSignOn } from './0021-single-sign-on.ts';
import { keyAddresses } from './0022-key-addresses.ts';
import { queueKeys } from './0023-queue-keys.ts';
import { handedOver } from './0024-handed-over.ts';
import { logCheckpoints } from './0025-log-checkpoints.ts';
import { witnessedLogs } from './0026-witnessed-logs.ts';
import { keptStreams } from './0027-kept-streams.ts';
import { queueChanges } from './0028-queue-changes.ts';
import { draftRevisions } from './0029-draft-revisions.ts';
import { logOrigins } from './0030-log-origins.ts';
import { fileChecks } from './0031-file-checks.ts';
import { draftSequences } from './0032-draft-sequences.ts';

export class MigrationFailed extends Error {
  override readonly name = 'MigrationFailed';
}

const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-write-path': writePath,
  '0002-passwords': passwords,
  '0003-rate-limit': rateLimit,
  '0004-sessions': sessions,
  '0005-one-time-passwords': oneTimePasswords,
  '0006-staged-imports': stagedImports,
  '0007-drafts': drafts,
  '0008-keys-and-forms': keysAndForms,
  '0009-ehr-launches': ehrLaunches,
  '0010-prefill-reviews': prefillReviews,
  '0011-entries-in-doubt': entriesInDoubt,
  '0012-noted-access': notedAccess,
  '0013-known-places': knownPlaces,
  '0014-notes-set-aside': notesSetAside,
  '0015-queue-in-place': queueInPlace,
  '0016-idempotent-replays': idempotentReplays,
  '0017-one-durable-write': oneDurableWrite,
  '0018-accounts': accounts,
  '0019-second-factors': secondFactors,
  '0020-passkeys': passkeys,
  '0021-single-sign-on': singleSignOn,
  '0022-key-addresses': keyAddresses,
  '0023-queue-keys': queueKeys,
  '0024-handed-over': handedOver,
  '0025-log-checkpoints': logCheckpoints,
  '0026-witnessed-logs': witnessedLogs,
  '0027-kept-streams': keptStreams,
  '0028-queue-changes': queueChanges,
  '0029-draft-revisions': draftRevisions,
  '0030-log-origins': logOrigins,
  '0031-file-checks': fileChecks,
  '0032-draft-sequences': draftSequences,
};

/**
 * Migrates the schema `app` to the latest version. Kysely's migrator takes an advisory lock, so
 * processes that start together migrate once.
 * @throws MigrationFailed naming the migration
 */
export const migrate = async (db: Kysely<never>): Promise<void> => {
  if (await isUpToDate(db)) return;
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...MIGRATIONS }) },
    migrationTableName: 'app_migration',
    migrationLockTableName: 'app_migration_lock',
  });
  let { error, results } = await migrator.migrateToLatest();
  for (let again = 1; isOfSchemaThatIsGone(error) && again < MAX_TRIES; again += 1) {
    await sleep(again * LONGER_MS);
    ({ error, results } = await migrator.migrateToLatest());
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

/**
 * Spares most starts the migrator, whose scans of the catalog take longer than all of its other queries.
 */
const isUpToDate = async (db: Kysely<never>): Promise<boolean> => {
  try {
    const { rows } = await sql<{ name: string }>`select name from app_migration`.execute(db);
    const applied = new Set(rows.map(({ name }) => name));
    const all = Object.keys(MIGRATIONS);
    return applied.size === all.length && all.every((name) => applied.has(name));
  } catch (error) {
    // A new database, or one that the migrator cannot use either: it says so.
    if (isDatabaseOutage(error)) throw error;
    return false;
  }
};

/** Many retries: on a slow machine, rebuilds may create and drop tables during each scan. */
const MAX_TRIES = 50;
const LONGER_MS = 10;

/**
 * The migrator scans the tables of all schemas, and fails if one is dropped or renamed during the
 * scan, as rebuilds do (SQLSTATE `invalid_schema_name`, `undefined_table`, `undefined_column`).
 */
const isOfSchemaThatIsGone = (error: unknown): boolean =>
  ['3F000', '42P01', '42703'].includes(String((error as { code?: unknown } | undefined)?.code));

/**
 * Matched by message, because the migrator has no code for it. The message only names a migration.
 */
const isOfNewerVersion = (error: unknown): boolean =>
  error instanceof Error &&
  /^corrupted migrations: previously executed migration \S+ is missing$/.test(error.message);
