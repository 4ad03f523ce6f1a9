import type { Db } from '../connection/database.ts';

/** Ends every session of an account, in all processes. @returns the number of sessions */
export const createEndSessions =
  (db: Db) =>
  async (accountId: string): Promise<number> => {
    const { numDeletedRows } = await db
      .deleteFrom('app.session')
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return Number(numDeletedRows);
  };
