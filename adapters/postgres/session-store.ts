import connectPgSimple from 'connect-pg-simple';
import session from 'express-session';
import { CompiledQuery } from 'kysely';
import type { Db } from './database.ts';

/**
 * Keeps the sessions of the pages in `app.session`, over the pool that everything else uses.
 * Expired ones are deleted now and then.
 * @param onFault told of a cleaning that did not go through: the next one takes what it left
 */
export const sessionStoreOf = (db: Db, onFault: (error: unknown) => void): session.Store => {
  const Store = connectPgSimple(session);
  // All the library asks of its pool is this one method; the type wants a whole one.
  const pool = {
    query: (text: string, values: readonly unknown[]) =>
      db.executeQuery(CompiledQuery.raw(text, [...values])),
  };
  return new Store({
    pool: pool as never,
    schemaName: 'app',
    tableName: 'session',
    errorLog: (_text: unknown, error: unknown) => onFault(error),
  });
};

/** Ends every session of an account, in all processes. */
export const endSessionsIn =
  (db: Db) =>
  async (accountId: string): Promise<void> => {
    await db.deleteFrom('app.session').where('account_id', '=', accountId).execute();
  };
