import { suite, type Test } from 'uvu';
import { type Db, openDatabase } from '../../adapters/postgres/connection/database.ts';
import { createTestDatabase } from './postgres.ts';

/** A database of a test file's own. */
export interface DatabaseContext {
  db: Db;
  url: string;
  /** Ends the connections, and drops the database. */
  stop: () => Promise<void>;
}

/**
 * A suite on an empty database that is dropped after it; further `before` hooks fill it.
 * @param connections the most of them at once
 */
export const databaseSuite = (name: string, connections = 4): Test<DatabaseContext> => {
  const table = suite<DatabaseContext>(name);
  table.before(async (context) => {
    const postgres = await createTestDatabase();
    const db = openDatabase(postgres.url, connections);
    Object.assign(context, {
      db,
      url: postgres.url,
      stop: async () => {
        await db.destroy();
        await postgres.stop();
      },
    });
  });
  table.after(({ stop }) => stop());
  return table;
};
