import { sql } from 'kysely';
import { hasTable, queryBoolean } from '../connection/conditions.ts';
import type { Db } from '../connection/database.ts';
import { loadCheckpoint } from '../projector/read-schema.ts';

/** Read tables, queue keys, submissions, passwords: all written only after the log has that registry. */
export const holdsRegistry = async (db: Db): Promise<boolean> => {
  if ((await loadCheckpoint(db)) !== null) return true;
  if (!(await hasTable(db, 'app.submission'))) return false;
  return queryBoolean(
    db,
    sql`exists (select from app.queue_key) or exists (select from app.submission)
      or exists (select from app.password)`,
  );
};
