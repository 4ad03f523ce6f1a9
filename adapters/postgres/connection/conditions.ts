import { type RawBuilder, sql } from 'kysely';
import type { Db } from './database.ts';

export const queryBoolean = async (db: Db, condition: RawBuilder<unknown>): Promise<boolean> => {
  const { rows } = await sql<{ holds: boolean }>`select ${condition} as holds`.execute(db);
  return rows[0]?.holds === true;
};

export const hasTable = (db: Db, table: string): Promise<boolean> =>
  queryBoolean(db, sql`to_regclass(${table}) is not null`);
