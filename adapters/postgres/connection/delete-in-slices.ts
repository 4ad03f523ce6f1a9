import { type RawBuilder, sql } from 'kysely';
import type { Db } from './database.ts';

const MAX_ROWS = 5_000;

/** Skips rows that another transaction has locked, so this never waits and cannot deadlock. */
export const deleteInSlices = async (
  db: Db,
  table: string,
  condition: RawBuilder<unknown>,
): Promise<void> => {
  const rows = sql.table(table);
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${rows} where ctid in (
        select ctid from ${rows} where ${condition} limit ${MAX_ROWS} for update skip locked
      )`.execute(db);
    if (numAffectedRows < MAX_ROWS) return;
  }
};
