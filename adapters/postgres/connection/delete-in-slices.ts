import { type RawBuilder, sql } from 'kysely';
import type { Db } from './database.ts';

const MAX_ROWS = 5_000;

/**
 * Deletes every row that a condition holds for, in statements of a bounded size. Rows that somebody else is
 * changing are left for the next time: it waits for no lock, so that no deadlock can come of it.
 */
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
