import { sql } from 'kysely';
import { withCamelCase } from '../connection/camel-case.ts';
import { queryBoolean } from '../connection/conditions.ts';
import type { Db } from '../connection/database.ts';
import { createHoldSeatsInTransaction, type LockSeats } from './seats.ts';

export interface StoredPassword {
  readonly hash: string;
  /** Changes with each password and when all sessions end. Each session stores the one it started with. */
  readonly generation: string;
  /** Expiry of a one-time password, or `null` if the owner chose the password. */
  readonly endsAt: Date | null;
  /** Wrong passwords since the last correct one. */
  readonly failures: number;
  /** Time of the first failure, or `null` if there is none. */
  readonly failedSince: Date | null;
}

/** An account locked against other changes. Changes take effect when the work is done. */
interface LockedAccount {
  /** Locks the seats of a practice in the same transaction. Two transactions would deadlock. */
  readonly holdSeats: LockSeats;
  hasPassword(): Promise<boolean>;
  /** Ends every session of the account. @returns the new generation */
  setPassword(passwordHash: string, endsAt?: Date | null): Promise<string>;
  dropPassword(): Promise<void>;
  /** Ends every session and every sign-in in progress. The password stays valid. */
  renewGeneration(): Promise<void>;
  /** False if the account has another person there, or the person has another account here. */
  bindTo(issuer: string, subject: string): Promise<boolean>;
  /** Unbinds the account from every provider. The next person to sign in with its email gets it. */
  unbind(): Promise<void>;
}

export const isAnyAccount = (db: Db): Promise<boolean> =>
  queryBoolean(db, sql`exists (select from app.password)`);

/** Keeps these advisory locks distinct from others in the database. */
const LOCK_SPACE = 0x70617373;

const NEXT_GENERATION = sql<string>`nextval('app.password_generation')`;

export const createPasswordStore = (db: Db) => ({
  find: (accountId: string): Promise<StoredPassword | null> => findPassword(db, accountId),

  async countFailure(accountId: string): Promise<void> {
    await sql`
      update app.password
      set failures = failures + 1, failed_since = coalesce(failed_since, now())
      where account_id = ${accountId}`.execute(db);
  },

  /** An account with a later generation has since changed its password or ended its sessions. */
  async generationNow(): Promise<string> {
    const { rows } = await sql<{ now: string }>`
      select case when is_called then last_value else 0 end::text as now
      from app.password_generation`.execute(db);
    return rows[0]?.now ?? '0';
  },

  async forgetFailures(accountId: string): Promise<void> {
    await sql`
      update app.password set failures = 0, failed_since = null
      where account_id = ${accountId} and failures > 0`.execute(db);
  },

  /** Across all processes. Changes roll back if the work throws. */
  holdAccount: <T>(accountId: string, work: (account: LockedAccount) => Promise<T>): Promise<T> =>
    db.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(${LOCK_SPACE}, hashtext(${accountId}))`.execute(
        transaction,
      );
      return work({
        holdSeats: createHoldSeatsInTransaction(transaction),
        hasPassword: async () => (await findPassword(transaction, accountId)) !== null,
        async setPassword(passwordHash, endsAt = null) {
          const password = {
            password_hash: passwordHash,
            ends_at: endsAt,
            generation: NEXT_GENERATION,
            failures: 0,
            failed_since: null,
          };
          const { generation } = await transaction
            .insertInto('app.password')
            .values({ account_id: accountId, ...password })
            .onConflict((conflict) => conflict.column('account_id').doUpdateSet(password))
            .returning('generation')
            .executeTakeFirstOrThrow();
          return generation;
        },
        async dropPassword() {
          await transaction
            .deleteFrom('app.password')
            .where('account_id', '=', accountId)
            .execute();
        },
        async renewGeneration() {
          await transaction
            .updateTable('app.password')
            .set({ generation: NEXT_GENERATION })
            .where('account_id', '=', accountId)
            .execute();
        },
        async bindTo(issuer, subject) {
          await transaction
            .insertInto('app.sso_identity')
            .values({ account_id: accountId, issuer, subject })
            .onConflict((conflict) => conflict.doNothing())
            .execute();
          const bound = await transaction
            .selectFrom('app.sso_identity')
            .select('subject')
            .where('account_id', '=', accountId)
            .where('issuer', '=', issuer)
            .executeTakeFirst();
          return bound?.subject === subject;
        },
        async unbind() {
          await transaction
            .deleteFrom('app.sso_identity')
            .where('account_id', '=', accountId)
            .execute();
        },
      });
    }),
});

const findPassword = async (db: Db, accountId: string): Promise<StoredPassword | null> => {
  const password = await withCamelCase(db)
    .selectFrom('app.password')
    .select(['passwordHash as hash', 'generation', 'endsAt', 'failures', 'failedSince'])
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return password ?? null;
};
