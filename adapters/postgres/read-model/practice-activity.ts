import { sql } from 'kysely';
import type { SubmissionSource } from '../../../domain/birth-record/events.ts';
import {
  type ListedPendingRevival,
  type ListedPush,
  type PushQuery,
  RESENT_VERSIONS,
  type RecentRecord,
  type RecentSubmission,
  type ResentRecord,
} from '../../../projections/lists/practice-activity.ts';
import { withCamelCase } from '../connection/camel-case.ts';
import type { Db } from '../connection/database.ts';
import { REVIVAL_ACTORS } from './work-items.ts';

export const createPracticeActivity = (db: Db) => ({
  async failedSubmissions(practiceId: string, since: Date): Promise<number> {
    const { rows } = await sql<{ failed: string }>`
      select count(*) as failed from read.ingestion
      where practice_id = ${practiceId} and received_at >= ${since} and status = 'failed'`.execute(
      db,
    );
    return Number(rows[0]?.failed ?? 0);
  },

  async recentSubmissions(practiceId: string, most: number): Promise<readonly RecentSubmission[]> {
    const rows = await listIngestions(db, practiceId, null, { from: 0, count: most });
    return rows.map(({ partnerName, keyName, error: _, ...row }) => ({
      ...row,
      sentBy: partnerName ?? keyName,
    }));
  },

  /** Records that senders send over and over, the most often sent first. */
  async resentRecords(
    practiceId: string,
    since: Date,
    most: number,
  ): Promise<readonly ResentRecord[]> {
    const { rows } = await sql<ResentRecord>`
      select record.submission_uuid, record.version, listed.chart_number, listed.mother_name,
        listed.key_kind, listed.born, listed.children, listed.fetal_deaths, record.changed_at,
        (select coalesce(partner.name, key.name) from read.api_key key
          left join read.partner partner on partner.partner_id = key.partner_id
          where key.key_id = record.actor_id) as sent_by
      from read.birth_record record
      join read.record_listing listed using (submission_uuid)
      where record.practice_id = ${practiceId} and record.changed_at >= ${since}
        and record.version >= ${RESENT_VERSIONS} and record.actor_kind = 'key'
      order by record.version desc, record.submission_uuid limit ${most}`.execute(
      withCamelCase(db),
    );
    return rows;
  },

  /** Undecided revivals of voided records, longest waiting first, with their total number. */
  async overruledVoids(
    practiceId: string,
    most: number,
  ): Promise<{ readonly total: number; readonly listed: readonly ListedPendingRevival[] }> {
    const rows = await withCamelCase(db)
      .selectFrom('read.overruledVoid as void')
      .innerJoin('read.recordListing as record', 'record.submissionUuid', 'void.submissionUuid')
      .select(['void.submissionUuid', 'void.nextVersion as version', 'void.reason'])
      .select(['void.voidedAt', 'void.revivedAt', ...REVIVAL_ACTORS])
      .select(['record.chartNumber', 'record.motherName', 'record.keyKind', 'record.born'])
      .select(['record.children', 'record.fetalDeaths'])
      .select(sql<string>`count(*) over ()`.as('total'))
      .where('void.practiceId', '=', practiceId)
      .orderBy('void.revivedAt')
      .orderBy('void.submissionUuid')
      .limit(most)
      .execute();
    return {
      total: Number(rows[0]?.total ?? 0),
      listed: rows.map(({ total: _, ...row }) => row),
    };
  },

  async recentRecords(practiceId: string, most: number): Promise<readonly RecentRecord[]> {
    return withCamelCase(db)
      .selectFrom('read.recordListing as record')
      .select(['submissionUuid', 'chartNumber', 'motherName', 'status', 'version', 'source'])
      .select(['keyKind', 'changedAt', 'children', 'fetalDeaths'])
      .select(
        sql<boolean>`exists (select from read.look_alike alike
          where alike.submission_uuid = record.submission_uuid and alike.is_newer)`.as(
          'isSuspectedDuplicate',
        ),
      )
      .where('practiceId', '=', practiceId)
      .orderBy('changedAt', 'desc')
      .limit(most)
      .execute();
  },

  /** Pushes to a practice, newest first. Excludes imports and manual entry. */
  async findPushes(
    practiceId: string,
    { from, count, most }: PushQuery,
  ): Promise<{ readonly total: number; readonly pushes: readonly ListedPush[] }> {
    const counted = await sql<{ total: string }>`
      select count(*) as total from (
        select from read.ingestion where practice_id = ${practiceId} and source = 'fhir_push'
        union all
        select from ${ONLY_QUEUED}
        where queued.practice_id = ${practiceId} and queued.key_kind is not null
        limit ${most}) as recent`.execute(db);
    const rows = await listIngestions(db, practiceId, 'fhir_push', {
      from,
      count: Math.min(count, Math.max(0, most - from)),
    });
    return {
      total: Number(counted.rows[0]?.total ?? 0),
      pushes: rows.map(({ source: _, ...push }) => push),
    };
  },
});

type ListedIngestion = ListedPush & Pick<RecentSubmission, 'source'>;

/** Ingestions not in the read tables yet come from the queue, in one snapshot. @param source `null` for all */
const listIngestions = async (
  db: Db,
  practiceId: string,
  source: SubmissionSource | null,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<readonly ListedIngestion[]> => {
  const { rows } = await sql<ListedIngestion>`
    select ingestion.ingestion_id, ingestion.received_at, ingestion.source, ingestion.status,
      ingestion.courses as records, ingestion.accepted, ingestion.rejected, ingestion.error,
      key.name as key_name, partner.name as partner_name
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
    offset ${from} limit ${count}`.execute(withCamelCase(db));
  return rows;
};

const SOURCE = sql`case when queued.key_kind is null then 'csv' else 'fhir_push' end`;
const ROW_OF_QUEUE = sql`queued.ingestion_id, queued.received_at, ${SOURCE} as source,
  case when queued.is_in_doubt then 'processing' else 'queued' end, queued.courses, null::integer,
  null::integer, null, case when queued.key_kind is not null then queued.sender_id end`;
const ONLY_QUEUED = sql`(
  select queued.* from app.submission queued
  where not exists (
    select from read.ingestion known where known.ingestion_id = queued.ingestion_id
  )
) queued`;
