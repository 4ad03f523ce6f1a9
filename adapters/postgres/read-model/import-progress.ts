import { sql } from 'kysely';
import { COURSES_PER_CHUNK } from '../../../domain/submission/decide.ts';
import type { AcceptedEntry, RejectedEntry } from '../../../domain/submission/events.ts';
import type { FindProgress, ReadOutcomes } from '../../../domain/submission/import-result.ts';
import type { Db } from '../connection/database.ts';

interface Found {
  readonly status: 'queued' | 'processing' | 'completed' | 'failed';
  readonly started_by: string;
  readonly started_at: Date;
  readonly courses: number;
  readonly chunks: string;
  readonly accepted: number | null;
  readonly rejected: number | null;
  readonly completed_at: string | null;
  readonly exception: string | null;
  readonly empty_rows: unknown;
}

/**
 * Finds the progress of an import. If it is not in the read tables yet, uses the confirmed staged
 * import, in one snapshot.
 */
export const createFindProgress =
  (db: Db): FindProgress =>
  async (practiceId, importId) => {
    const { rows } = await sql<Found>`
      select status, started_by, received_at as started_at, courses, accepted, rejected,
        completed_at, exception, empty_rows, 1 as rank,
        (select count(*) from read.ingestion_outcome done
          where done.ingestion_id = ingestion.ingestion_id) as chunks
      from read.ingestion
      where ingestion_id = ${importId} and practice_id = ${practiceId} and source = 'csv'
      union all
      select 'queued', member_id, confirmed_at, courses, null, null, null, null, empty_rows, 2, 0
      from app.staged_import
      where import_id = ${importId} and practice_id = ${practiceId} and confirmed_at is not null
      order by rank limit 1`.execute(db);
    const [found] = rows;
    if (found === undefined) return null;
    return {
      importId,
      status: found.status,
      startedBy: found.started_by,
      startedAt: found.started_at,
      processed: Math.min(found.courses, Number(found.chunks) * COURSES_PER_CHUNK),
      total: found.courses,
      accepted: found.accepted,
      rejected: found.rejected,
      completedAt: found.completed_at,
      exception: found.exception,
      emptyRows: found.empty_rows as readonly number[],
    };
  };

const CHUNKS_PER_PAGE = 20;

export const createReadOutcomes = (db: Db): ReadOutcomes =>
  async function* (importId) {
    for (let next = 0; ; ) {
      const rows = await db
        .selectFrom('read.ingestion_outcome')
        .select(['chunk', 'accepted', 'rejected', 'rejected_at'])
        .where('ingestion_id', '=', importId)
        .where('chunk', '>=', next)
        .orderBy('chunk')
        .limit(CHUNKS_PER_PAGE)
        .execute();
      for (const row of rows)
        yield {
          chunk: row.chunk,
          accepted: row.accepted as readonly AcceptedEntry[],
          rejected: row.rejected as readonly RejectedEntry[],
          rejectedAt: (row.rejected_at ?? []) as readonly number[],
        };
      const last = rows.at(-1);
      if (last === undefined) return;
      next = last.chunk + 1;
    }
  };
