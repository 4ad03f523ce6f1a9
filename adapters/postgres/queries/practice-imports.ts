import { sql } from 'kysely';
import type {
  ImportOwner,
  PastImport,
  WaitingCheck,
} from '../../../projections/practice-imports.ts';
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
export const practiceImportsIn = (db: Db) => ({
  /** The latest imports, newest first. @param memberId only those of one member; null for all */
  async past(
    practiceId: string,
    memberId: string | null,
    most: number,
  ): Promise<readonly PastImport[]> {
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

  /** Files that a member has checked and neither imported nor dropped, newest first. */
  async waiting(practiceId: string, memberId: string): Promise<readonly WaitingCheck[]> {
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

  /** Whose a staged import is; null if the practice has none of this id (any more). */
  async ownerOf(practiceId: string, importId: string): Promise<ImportOwner | null> {
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

  /** Deletes a check of a member's own; one that is confirmed stays. @returns whether it is gone */
  async drop(practiceId: string, memberId: string, importId: string): Promise<boolean> {
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
