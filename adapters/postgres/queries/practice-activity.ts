import { sql } from 'kysely';
import type { PracticeActivity } from '../../../domain/practice/activity.ts';
import type { Db } from '../connection/database.ts';
import { listedIngestionsIn } from './listed-ingestions.ts';

/** Reads it from the read tables. */
export const practiceActivityIn = (db: Db): PracticeActivity => ({
  async attention(practiceId, since) {
    const { rows } = await sql<{
      duplicates: string;
      failed: string;
      refused: string;
      refused_rows: string;
    }>`
      select
        (select count(*) from read.open_duplicate_pair where practice_id = ${practiceId}
        ) as duplicates,
        (select count(*) from read.ingestion
          where practice_id = ${practiceId} and received_at >= ${since} and status = 'failed'
        ) as failed,
        (select coalesce(sum(rejected), 0) from read.ingestion
          where practice_id = ${practiceId} and received_at >= ${since} and status = 'completed'
            and source <> 'csv'
        ) as refused,
        (select coalesce(sum(rejected), 0) from read.ingestion
          where practice_id = ${practiceId} and received_at >= ${since} and status = 'completed'
            and source = 'csv'
        ) as refused_rows`.execute(db);
    return {
      suspectedDuplicates: Number(rows[0]?.duplicates ?? 0),
      failedSubmissions: Number(rows[0]?.failed ?? 0),
      refusedRecords: Number(rows[0]?.refused ?? 0),
      refusedRows: Number(rows[0]?.refused_rows ?? 0),
    };
  },

  async recentSubmissions(practiceId, most) {
    const rows = await listedIngestionsIn(db, practiceId)
      .select('ingestion.source')
      .limit(most)
      .execute();
    return rows.map((row) => ({
      ingestionId: row.ingestion_id,
      receivedAt: row.received_at,
      source: row.source,
      sentBy: row.partner_name ?? row.key_name,
      status: row.status,
      records: row.courses,
      accepted: row.accepted,
      rejected: row.rejected,
    }));
  },

  async recentRecords(practiceId, most) {
    const rows = await db
      .selectFrom('read.record_listing as record')
      .select(['submission_uuid', 'chart_number', 'mother_name', 'status', 'version', 'source'])
      .select(['key_kind', 'changed_at'])
      .select(({ exists, selectFrom }) =>
        exists(
          selectFrom('read.open_duplicate_pair as pair')
            .select('pair.since')
            .whereRef('pair.submission_uuid', '=', 'record.submission_uuid'),
        ).as('is_in_open_pair'),
      )
      .where('practice_id', '=', practiceId)
      .orderBy('changed_at', 'desc')
      .limit(most)
      .execute();
    return rows.map((row) => ({
      submissionUuid: row.submission_uuid,
      chartNumber: row.chart_number,
      motherName: row.mother_name,
      keyKind: row.key_kind,
      status: row.status,
      isSuspectedDuplicate: Boolean(row.is_in_open_pair),
      version: row.version,
      source: row.source,
      changedAt: row.changed_at,
    }));
  },
});
