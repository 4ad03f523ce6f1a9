import { sql } from 'kysely';
import type { HoldSeats } from '../../../domain/account/member/ports.ts';
import type { Db } from '../connection/database.ts';

/** Tells these advisory locks from those of others on the same database. */
const LOCK_SPACE = 0x73656174;

/**
 * Holds the seats of a practice by an advisory lock of a transaction: it ends with its holder.
 * @see HoldSeats
 */
export const holdSeatsIn =
  (db: Db): HoldSeats =>
  (practiceId, work) =>
    db.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(${LOCK_SPACE}, hashtext(${practiceId}))`.execute(
        transaction,
      );
      const members = await transaction
        .selectFrom('read.member')
        .select('member_id')
        .where('practice_id', '=', practiceId)
        .execute();
      return work(members.map((member) => member.member_id));
    });
