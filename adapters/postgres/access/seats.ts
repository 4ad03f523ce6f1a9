import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';

/** Across all processes. @param work receives the ids of all current, former, and invited members */
export type LockSeats = <T>(
  practiceId: string,
  work: (memberIds: readonly string[]) => Promise<T>,
) => Promise<T>;

/** Keeps these advisory locks distinct from others in the database. */
const LOCK_SPACE = 0x73656174;

/** Uses an advisory lock of a transaction, which ends with the process. @see LockSeats */
export const createHoldSeats =
  (db: Db): LockSeats =>
  (practiceId, work) =>
    db
      .transaction()
      .execute((transaction) => createHoldSeatsInTransaction(transaction)(practiceId, work));

export const createHoldSeatsInTransaction =
  (transaction: Db): LockSeats =>
  async (practiceId, work) => {
    await sql`select pg_advisory_xact_lock(${LOCK_SPACE}, hashtext(${practiceId}))`.execute(
      transaction,
    );
    const members = await transaction
      .selectFrom('read.member')
      .select('member_id')
      .where('practice_id', '=', practiceId)
      .union(
        transaction
          .selectFrom('read.invitation')
          .select('member_id')
          .where('practice_id', '=', practiceId),
      )
      .execute();
    return work(members.map((member) => member.member_id));
  };

type AccountOwner =
  | { readonly kind: 'member'; readonly practiceId: string }
  | { readonly kind: 'staff' };

/**
 * Returns `null` if the account does not exist or has no current seat. One query in each case, so that the
 * time that it takes does not reveal which accounts exist.
 */
export const createFindAccountOwner =
  (db: Db) =>
  async (accountId: string): Promise<AccountOwner | null> => {
    const { rows } = await sql<{ practice_id: string | null; is_staff: boolean }>`
      select
        (select practice_id from read.member
          where member_id = ${accountId} and removed_at is null
          order by added_at desc limit 1) as practice_id,
        exists (select from read.staff
          where staff_id = ${accountId} and removed_at is null) as is_staff`.execute(db);
    const found = rows[0];
    if (typeof found?.practice_id === 'string')
      return { kind: 'member', practiceId: found.practice_id };
    return found?.is_staff === true ? { kind: 'staff' } : null;
  };
