import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { createHoldSeatsInTransaction, type LockSeats } from './seats.ts';

/** The password of an account, as a sign-in compares it. */
export interface StoredPassword {
  readonly hash: string;
  /** Another one with each password, and when all sessions were ended: a session holds its own. */
  readonly generation: string;
  /** Until when a one-time password lets its owner choose another; null: the owner chose it. */
  readonly endsAt: Date | null;
  /** Wrong passwords since the last right one. */
  readonly failures: number;
  /** When the first of them was; null: there is none. */
  readonly failedSince: Date | null;
}

/** An account while it is locked against other changes. What is set takes effect with the end of the work. */
interface HeldAccount {
  /** Holds the seats of a practice, too, in the same transaction: two would wait for each other. */
  readonly holdSeats: LockSeats;
  hasPassword(): Promise<boolean>;
  /**
   * Every session of the account is over.
   * @param endsAt of a one-time password
   * @returns the new generation
   */
  setPassword(passwordHash: string, endsAt?: Date | null): Promise<string>;
  /** The account can no longer be used to sign in. */
  dropPassword(): Promise<void>;
  /** Ends every session and every sign-in that is under way; the password stays. */
  renewGeneration(): Promise<void>;
  /**
   * Binds the account to a person at an identity provider, permanently.
   * @returns false if it belongs to another person there, or the person has another account here
   */
  bindTo(issuer: string, subject: string): Promise<boolean>;
  /** Unbinds the account from every provider: the next person who signs in with its email gets it. */
  unbind(): Promise<void>;
}

/** Whether there is any account to sign in with. */
export const isAnyAccount = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from app.password) as found`.execute(db);
  return rows[0]?.found ?? false;
};

/** Tells these advisory locks from those of others on the same database. */
const LOCK_SPACE = 0x70617373;

const NEXT_GENERATION = sql<string>`nextval('app.password_generation')`;

/** Passwords by account. */
export const createPasswordStore = (db: Db) => ({
  /** The password of an account; null if it has none. */
  find: (accountId: string): Promise<StoredPassword | null> => findIn(db, accountId),

  /** Counts a wrong password, over the life of the account. */
  async countFailure(accountId: string): Promise<void> {
    await sql`
      update app.password
      set failures = failures + 1, failed_since = coalesce(failed_since, now())
      where account_id = ${accountId}`.execute(db);
  },

  /**
   * The latest generation that there is: an account whose own is later than this has
   * been changed, or signed out, since.
   */
  async generationNow(): Promise<string> {
    const { rows } = await sql<{ now: string }>`
      select case when is_called then last_value else 0 end::text as now
      from app.password_generation`.execute(db);
    return rows[0]?.now ?? '0';
  },

  /** Begins to count anew, after a right one. */
  async forgetFailures(accountId: string): Promise<void> {
    await sql`
      update app.password set failures = 0, failed_since = null
      where account_id = ${accountId} and failures > 0`.execute(db);
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
        holdSeats: createHoldSeatsInTransaction(transaction),
        hasPassword: async () => (await findIn(transaction, accountId)) !== null,
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

const findIn = async (db: Db, accountId: string): Promise<StoredPassword | null> => {
  const held = await db
    .selectFrom('app.password')
    .select(['password_hash', 'generation', 'ends_at', 'failures', 'failed_since'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return held === undefined
    ? null
    : {
        hash: held.password_hash,
        generation: held.generation,
        endsAt: held.ends_at,
        failures: held.failures,
        failedSince: held.failed_since,
      };
};
