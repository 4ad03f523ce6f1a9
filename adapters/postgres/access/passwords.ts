import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';

/** The password of an account while it is locked against other changes. */
interface HeldAccount {
  hasPassword(): Promise<boolean>;
  /**
   * Takes effect with the end of the work.
   * @param mustChange it was handed over: only good for choosing another
   */
  setPassword(passwordHash: string, mustChange?: boolean): Promise<void>;
  /** Takes effect with the end of the work: the account opens nothing any more. */
  dropPassword(): Promise<void>;
}

/** Whether there is any account to sign in with. */
export const isAnyAccountIn = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from app.password) as found`.execute(db);
  return rows[0]?.found ?? false;
};

/** Tells these advisory locks from those of others on the same database. */
const LOCK_SPACE = 0x70617373;

/** Password hashes by account. */
export const passwordsOf = (db: Db) => ({
  /** The hash of an account's password; null if it has none. */
  find: (accountId: string): Promise<string | null> => findIn(db, accountId),

  /** Whether an account's password was handed over, so that its owner has to choose another. */
  async mustChange(accountId: string): Promise<boolean> {
    const held = await db
      .selectFrom('app.password')
      .select('must_change')
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return held?.must_change ?? false;
  },

  /**
   * Holds an account while the work runs: in all processes, one at a time. What the work has set is
   * kept if it ends well, and dropped if it throws.
   */
  holdAccount: <T>(accountId: string, work: (account: HeldAccount) => Promise<T>): Promise<T> =>
    db.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(${LOCK_SPACE}, hashtext(${accountId}))`.execute(
        transaction,
      );
      return work({
        hasPassword: async () => (await findIn(transaction, accountId)) !== null,
        async setPassword(passwordHash, mustChange = false) {
          const password = { password_hash: passwordHash, must_change: mustChange };
          await transaction
            .insertInto('app.password')
            .values({ account_id: accountId, ...password })
            .onConflict((conflict) => conflict.column('account_id').doUpdateSet(password))
            .execute();
        },
        async dropPassword() {
          await transaction
            .deleteFrom('app.password')
            .where('account_id', '=', accountId)
            .execute();
        },
      });
    }),
});

const findIn = async (db: Db, accountId: string): Promise<string | null> => {
  const held = await db
    .selectFrom('app.password')
    .select('password_hash')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return held?.password_hash ?? null;
};
