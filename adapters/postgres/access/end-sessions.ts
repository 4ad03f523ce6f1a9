import type { Db } from '../connection/database.ts';

/** Ends every session of an account, in all processes. */
export const endSessionsIn =
  (db: Db) =>
  async (accountId: string): Promise<void> => {
    await db.deleteFrom('app.session').where('account_id', '=', accountId).execute();
  };
