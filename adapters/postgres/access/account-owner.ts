import { sql } from 'kysely';
import type { FindAccountOwner } from '../../../domain/access-log/ports.ts';
import type { Db } from '../connection/database.ts';

/** Looks an account up in the read tables: one query, whether there is one or not. */
export const findAccountOwnerIn =
  (db: Db): FindAccountOwner =>
  async (accountId) => {
    const { rows } = await sql<{ practice_id: string | null; is_staff: boolean }>`
      select
        (select practice_id from read.member
          where member_id = ${accountId} and removed_at is null
          order by added_at desc limit 1) as practice_id,
        exists (select from read.staff where staff_id = ${accountId}) as is_staff`.execute(db);
    const found = rows[0];
    if (typeof found?.practice_id === 'string')
      return { kind: 'member', practiceId: found.practice_id };
    return found?.is_staff === true ? { kind: 'staff' } : null;
  };
