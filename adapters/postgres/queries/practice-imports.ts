import { sql } from 'kysely';
import type { PastImport, PracticeImports } from '../../../projections/practice-imports.ts';
import type { Db } from '../connection/database.ts';

interface Past {
  readonly import_id: string;
  readonly member_id: string;
  readonly at: Date;
  readonly courses: number;
  readonly status: PastImport['status'];
  readonly accepted: number | null;
  readonly rejected: number | null;
}

/** The imports of practices, in the read tables and among the staged ones. */
export const practiceImportsIn = (db: Db): PracticeImports => ({
  async past(practiceId, memberId, most) {
    // The read tables hold every import ever made; one confirmed a moment ago is only staged.
    const { rows } = await sql<Past>`
      select ingestion_id as import_id, started_by as member_id, received_at as at, courses, status,
        accepted, rejected
      from read.ingestion
      where practice_id = ${practiceId} and file_hash is not null
        and (${memberId}::text is null or started_by = ${memberId})
      union all
      select import_id, member_id, confirmed_at, courses, 'queued', null, null
      from app.staged_import staged
      where practice_id = ${practiceId} and confirmed_at is not null
        and (${memberId}::text is null or member_id = ${memberId})
        and not exists (select from read.ingestion where ingestion_id = staged.import_id)
      order by at desc limit ${most}`.execute(db);
    return rows.map(({ import_id, member_id, at, courses, status, accepted, rejected }) => ({
      importId: import_id,
      memberId: member_id,
      at,
      rows: courses,
      status,
      accepted,
      rejected,
    }));
  },

  async waiting(practiceId, memberId) {
    const rows = await db
      .selectFrom('app.staged_import')
      .select(['import_id', 'staged_at', 'courses'])
      .where('practice_id', '=', practiceId)
      .where('member_id', '=', memberId)
      .where('confirmed_at', 'is', null)
      .where('expires_at', '>', sql<Date>`now()`)
      .orderBy('staged_at', 'desc')
      .execute();
    return rows.map((row) => ({
      importId: row.import_id,
      checkedAt: row.staged_at,
      rows: row.courses,
    }));
  },

  async ownerOf(practiceId, importId) {
    const row = await db
      .selectFrom('app.staged_import')
      .select(['member_id', 'confirmed_at'])
      .select(sql<boolean>`expires_at <= now()`.as('is_expired'))
      .where('practice_id', '=', practiceId)
      .where('import_id', '=', importId)
      .executeTakeFirst();
    return row === undefined
      ? null
      : {
          memberId: row.member_id,
          isConfirmed: row.confirmed_at !== null,
          isExpired: row.is_expired,
        };
  },

  async drop(practiceId, memberId, importId) {
    const { numDeletedRows } = await db
      .deleteFrom('app.staged_import')
      .where('import_id', '=', importId)
      .where('practice_id', '=', practiceId)
      .where('member_id', '=', memberId)
      .where('confirmed_at', 'is', null)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  },
});
