import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { loadCheckpoint } from '../projector/read-schema.ts';

/**
 * True if the database has data of a registry: read tables, queue keys, submissions or passwords.
 * All of them are written only after the log contains that registry.
 */
export const holdsRegistry = async (db: Db): Promise<boolean> => {
  if ((await loadCheckpoint(db)) !== null) return true;
  const { rows: schema } = await sql<{ is_migrated: boolean }>`
    select to_regclass('app.submission') is not null as is_migrated`.execute(db);
  if (schema[0]?.is_migrated !== true) return false;
  const { rows } = await sql<{ holds: boolean }>`
    select exists (select from app.queue_key) or exists (select from app.submission)
      or exists (select from app.password) as holds`.execute(db);
  return rows[0]?.holds === true;
};
