import { type Kysely, sql } from 'kysely';
import { FILE_CHECKS, LATER_ORIGINS, QUEUE_CHANGES } from './schema.ts';

/** First migration of releases 0.1 and 0.2. Databases of later ones do not name it. */
export const FIRST_OF_0_2 = '0001-write-path';
/** Last migration of release 0.2.0. */
export const LAST_OF_0_2 = '0027-kept-streams';

type Step = (db: Kysely<never>) => Promise<unknown>;

/** Parts of the schema `app` that 0.2 lacks, by the migration that added each in a preview of 0.3. */
const ADDED: Readonly<Record<string, Step>> = {
  '0028-queue-changes': async (db) => {
    // Until the triggers are there, nothing may enter or leave uncounted.
    await sql`lock table app.submission in share row exclusive mode`.execute(db);
    await QUEUE_CHANGES.execute(db);
    await sql`
      insert into app.queue_change (practice_id, courses, bytes)
      select practice_id, sum(courses), sum(bytes) from app.submission group by practice_id`.execute(
      db,
    );
  },
  '0029-draft-revisions': (db) =>
    sql`
      alter table app.draft add revision integer not null default 1, add editor text`.execute(db),
  '0030-log-origins': (db) => LATER_ORIGINS.execute(db),
  '0031-file-checks': (db) => FILE_CHECKS.execute(db),
  '0032-draft-sequences': (db) => sql`alter table app.draft add sequence bigint`.execute(db),
};

/** The lock of the migrator; Postgres needs no table for it. */
const LOCK = { lockTable: '', lockRowId: '' };

/** Running processes of 0.2 compare the list only when they start, then report a newer version. */
export const adoptDatabase = (db: Kysely<never>, migration: string): Promise<void> =>
  db.connection().execute(async (connection) => {
    const { adapter } = connection.getExecutor();
    await adapter.acquireMigrationLock(connection, LOCK);
    try {
      await connection.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ name: string }>`
          select name from app_migration`.execute(transaction);
        const applied = rows.map(({ name }) => name);
        // Another process was faster.
        if (!applied.includes(FIRST_OF_0_2)) return;
        // Left to the migrator, which reports it.
        if (applied.some((name) => name > LAST_OF_0_2 && !Object.hasOwn(ADDED, name))) return;
        for (const [name, add] of Object.entries(ADDED))
          if (!applied.includes(name)) await add(transaction);
        await sql`delete from app_migration`.execute(transaction);
        await sql`
          insert into app_migration (name, timestamp)
          values (${migration}, ${new Date().toISOString()})`.execute(transaction);
      });
    } finally {
      await adapter.releaseMigrationLock(connection, LOCK);
    }
  });
