import { sql } from 'kysely';
import type {
  FindPasswordHash,
  HoldAccount,
  MustChangePassword,
} from '../../../domain/account/ports.ts';
import type { Db } from '../connection/database.ts';

/** Password hashes by account. */
export interface Passwords {
  readonly find: FindPasswordHash;
  readonly mustChange: MustChangePassword;
  readonly holdAccount: HoldAccount;
}

/** Whether there is any account to sign in with. */
export const isAnyAccountIn = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from app.password) as found`.execute(db);
  return rows[0]?.found ?? false;
};

/** Tells these advisory locks from those of others on the same database. */
const LOCK_SPACE = 0x70617373;

/** @see Passwords */
export const passwordsOf = (db: Db): Passwords => ({
  find: (accountId) => findIn(db, accountId),
  async mustChange(accountId) {
    const held = await db
      .selectFrom('app.password')
      .select('must_change')
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return held?.must_change ?? false;
  },
  holdAccount: (accountId, work) =>
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
