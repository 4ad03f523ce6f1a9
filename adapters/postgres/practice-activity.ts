import { sql } from 'kysely';
import type { Db } from './database.ts';

/** What somebody of the practice should look at. */
export interface AttentionCounts {
  readonly suspectedDuplicates: number;
  /** Submissions that could not be taken at all, since a moment. */
  readonly failedSubmissions: number;
  /** Records refused in submissions of EHRs that were taken, since a moment. */
  readonly refusedRecords: number;
  /** Rows refused in imports, since a moment. */
  readonly refusedRows: number;
}

/** A submission as the home page lists it. */
export interface RecentSubmission {
  readonly ingestionId: string;
  readonly receivedAt: Date;
  /** As records name it: `fhir_push`, `csv`. */
  readonly source: string;
  /** Name of the partner, else of the key, else null. */
  readonly sentBy: string | null;
  readonly status: 'queued' | 'processing' | 'completed' | 'failed';
  readonly records: number;
  /** Null until it is completed. */
  readonly accepted: number | null;
  readonly rejected: number | null;
}

/** A record as the home page lists it. */
export interface RecentRecord {
  readonly submissionUuid: string;
  readonly chartNumber: string | null;
  readonly motherName: string | null;
  readonly keyKind: 'native' | 'partner' | null;
  readonly status: 'live' | 'voided';
  readonly isSuspectedDuplicate: boolean;
  readonly version: number;
  readonly source: string;
  readonly changedAt: Date;
}

/** What has happened at a practice. */
export interface PracticeActivity {
  /** @param since how far back submissions count */
  attention(practiceId: string, since: Date): Promise<AttentionCounts>;
  recentSubmissions(practiceId: string, most: number): Promise<readonly RecentSubmission[]>;
  recentRecords(practiceId: string, most: number): Promise<readonly RecentRecord[]>;
}

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
    const rows = await db
      .selectFrom('read.ingestion as ingestion')
      .leftJoin('read.api_key as key', 'key.key_id', 'ingestion.key_id')
      .leftJoin('read.partner as partner', 'partner.partner_id', 'key.partner_id')
      .select(['ingestion.ingestion_id', 'ingestion.received_at', 'ingestion.status'])
      .select(['ingestion.courses', 'ingestion.accepted', 'ingestion.rejected', 'ingestion.source'])
      .select(['key.name as key_name', 'partner.name as partner_name'])
      .where('ingestion.practice_id', '=', practiceId)
      .orderBy('ingestion.received_at', 'desc')
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
