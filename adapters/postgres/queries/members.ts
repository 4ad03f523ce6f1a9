import type { ListMembers } from '../../../projections/members.ts';
import type { Db } from '../connection/database.ts';

/** Who has a seat in a practice now. */
export const listMembersIn =
  (db: Db): ListMembers =>
  async (practiceId) => {
    const rows = await db
      .selectFrom('read.member')
      .select(['member_id', 'email', 'role', 'added_at'])
      .where('practice_id', '=', practiceId)
      .where('removed_at', 'is', null)
      .orderBy('email')
      .execute();
    return rows.map((row) => ({
      memberId: row.member_id,
      email: row.email,
      role: row.role,
      since: row.added_at,
    }));
  };
