import { sql } from 'kysely';
import type { SubmissionSource } from '../../../domain/birth-record/events.ts';
import type { Actor } from '../../../domain/event-log.ts';
import {
  type ListedPendingRevival,
  type ListedPush,
  type PushQuery,
  RESENT_VERSIONS,
  type RecentRecord,
  type RecentSubmission,
  type ResentRecord,
} from '../../../projections/lists/practice-activity.ts';
import type { Db } from '../connection/database.ts';

export const createPracticeActivity = (db: Db) => ({
  /** Counts failed submissions. @param since earliest time of receipt */
  async failedSubmissions(practiceId: string, since: Date): Promise<number> {
    const { rows } = await sql<{ failed: string }>`
      select count(*) as failed from read.ingestion
      where practice_id = ${practiceId} and received_at >= ${since} and status = 'failed'`.execute(
      db,
    );
    return Number(rows[0]?.failed ?? 0);
  },

  async recentSubmissions(practiceId: string, most: number): Promise<readonly RecentSubmission[]> {
    const rows = await listedIngestionsIn(db, practiceId, null, { from: 0, count: most });
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

  /** Records that senders send over and over, the most often sent first. */
  async resentRecords(
    practiceId: string,
    since: Date,
    most: number,
  ): Promise<readonly ResentRecord[]> {
    const { rows } = await sql<ResentRecord>`
      select record.submission_uuid as "submissionUuid", record.version,
        listed.chart_number as "chartNumber", listed.mother_name as "motherName",
        listed.key_kind as "keyKind", listed.born, listed.children,
        listed.fetal_deaths as "fetalDeaths", record.changed_at as "changedAt",
        (select coalesce(partner.name, key.name) from read.api_key key
          left join read.partner partner on partner.partner_id = key.partner_id
          where key.key_id = record.actor_id) as "sentBy"
      from read.birth_record record
      join read.record_listing listed using (submission_uuid)
      where record.practice_id = ${practiceId} and record.changed_at >= ${since}
        and record.version >= ${RESENT_VERSIONS} and record.actor_kind = 'key'
      order by record.version desc, record.submission_uuid limit ${most}`.execute(db);
    return rows;
  },

  /** Undecided revivals of voided records, longest waiting first, with their total number. */
  async overruledVoids(
    practiceId: string,
    most: number,
  ): Promise<{ readonly total: number; readonly listed: readonly ListedPendingRevival[] }> {
    const rows = await db
      .selectFrom('read.overruled_void as void')
      .innerJoin('read.record_listing as record', 'record.submission_uuid', 'void.submission_uuid')
      .select(['void.submission_uuid', 'void.next_version', 'void.reason'])
      .select(['void.voided_at', 'void.voided_by_kind', 'void.voided_by_id'])
      .select(['void.revived_at', 'void.revived_by_kind', 'void.revived_by_id'])
      .select(['record.chart_number', 'record.mother_name', 'record.key_kind', 'record.born'])
      .select(['record.children', 'record.fetal_deaths'])
      .select(sql<string>`count(*) over ()`.as('total'))
      .where('void.practice_id', '=', practiceId)
      .orderBy('void.revived_at')
      .orderBy('void.submission_uuid')
      .limit(most)
      .execute();
    return {
      total: Number(rows[0]?.total ?? 0),
      listed: rows.map((row) => ({
        submissionUuid: row.submission_uuid,
        chartNumber: row.chart_number,
        motherName: row.mother_name,
        keyKind: row.key_kind,
        born: row.born,
        children: row.children,
        fetalDeaths: row.fetal_deaths,
        version: row.next_version,
        voidedAt: row.voided_at,
        voidedBy: { kind: row.voided_by_kind, id: row.voided_by_id } as Actor,
        reason: row.reason,
        revivedAt: row.revived_at,
        revivedBy: { kind: row.revived_by_kind, id: row.revived_by_id } as Actor,
      })),
    };
  },

  async recentRecords(practiceId: string, most: number): Promise<readonly RecentRecord[]> {
    const rows = await db
      .selectFrom('read.record_listing as record')
      .select(['submission_uuid', 'chart_number', 'mother_name', 'status', 'version', 'source'])
      .select(['key_kind', 'changed_at', 'children', 'fetal_deaths'])
      .select(({ exists, selectFrom }) =>
        exists(
          selectFrom('read.look_alike as alike')
            .select('alike.other_uuid')
            .whereRef('alike.submission_uuid', '=', 'record.submission_uuid')
            .where('alike.is_newer', '=', true),
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
      children: row.children,
      fetalDeaths: row.fetal_deaths,
      status: row.status,
      isSuspectedDuplicate: Boolean(row.is_in_open_pair),
      version: row.version,
      source: row.source,
      changedAt: row.changed_at,
    }));
  },
});

interface ListedIngestion {
  readonly ingestion_id: string;
  readonly received_at: Date;
  readonly source: SubmissionSource;
  readonly status: 'queued' | 'processing' | 'completed' | 'failed';
  readonly courses: number;
  readonly accepted: number | null;
  readonly rejected: number | null;
  readonly error: string | null;
  readonly key_name: string | null;
  readonly partner_name: string | null;
}

/**
 * Newest ingestions of a practice with the key of each, newest first. Ingestions not in the read
 * tables yet come from the queue, in one snapshot.
 * @param source `null` for all sources
 */
const listedIngestionsIn = async (
  db: Db,
  practiceId: string,
  source: SubmissionSource | null,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<readonly ListedIngestion[]> => {
  const { rows } = await sql<ListedIngestion>`
    select ingestion.*, key.name as key_name, partner.name as partner_name
    from (
      (select ingestion_id, received_at, source, status, courses, accepted, rejected, error, key_id
        from read.ingestion
        where practice_id = ${practiceId} and (${source}::text is null or source = ${source})
        order by received_at desc limit ${from + count})
      union all
      (select ${ROW_OF_QUEUE} from ${ONLY_QUEUED}
        where queued.practice_id = ${practiceId} and (${source}::text is null or ${SOURCE} = ${source})
        order by queued.seq desc limit ${from + count})
    ) ingestion
    left join read.api_key key on key.key_id = ingestion.key_id
    left join read.partner partner on partner.partner_id = key.partner_id
    order by ingestion.received_at desc, ingestion.ingestion_id
    offset ${from} limit ${count}`.execute(db);
  return rows;
};

const SOURCE = sql`case when queued.key_kind is null then 'csv' else 'fhir_push' end`;
const ROW_OF_QUEUE = sql`queued.ingestion_id, queued.received_at, ${SOURCE} as source,
  case when queued.is_in_doubt then 'processing' else 'queued' end, queued.courses, null::integer,
  null::integer, null, case when queued.key_kind is not null then queued.sender_id end`;
/** Queue rows whose ingestion is not in the read tables yet. */
const ONLY_QUEUED = sql`(
  select queued.* from app.submission queued
  where not exists (
    select from read.ingestion known where known.ingestion_id = queued.ingestion_id
  )
) queued`;

/** Pushes to a practice, newest first. Excludes imports and manual entry. */
export const createFindPushes =
  (db: Db) =>
  async (
    practiceId: string,
    { from, count, most }: PushQuery,
  ): Promise<{ readonly total: number; readonly pushes: readonly ListedPush[] }> => {
    const counted = await sql<{ total: string }>`
      select count(*) as total from (
        select from read.ingestion where practice_id = ${practiceId} and source = 'fhir_push'
        union all
        select from ${ONLY_QUEUED}
        where queued.practice_id = ${practiceId} and queued.key_kind is not null
        limit ${most}) as recent`.execute(db);
    const rows = await listedIngestionsIn(db, practiceId, 'fhir_push', {
      from,
      count: Math.min(count, Math.max(0, most - from)),
    });
    return {
      total: Number(counted.rows[0]?.total ?? 0),
      pushes: rows.map((row) => ({
        ingestionId: row.ingestion_id,
        receivedAt: row.received_at,
        keyName: row.key_name,
        partnerName: row.partner_name,
        status: row.status,
        records: row.courses,
        accepted: row.accepted,
        rejected: row.rejected,
        error: row.error,
      })),
    };
  };
