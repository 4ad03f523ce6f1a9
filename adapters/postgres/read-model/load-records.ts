import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type {
  FindMatchCandidates,
  FindRecordStream,
  LoadFingerprintHolders,
  LoadRecords,
} from '../../../domain/birth-record/ports.ts';
import type { LoadedRecord } from '../../../domain/birth-record/working-set.ts';
import type { CourseOfCare } from '../../../domain/course/course.ts';
import type { NamedProvider } from '../../../domain/provider/details.ts';
import { isUuid } from '../../../domain/text-input.ts';
import type { ReadRows } from '../../../projections/read-model.ts';
import { decodeCourse } from '../../../projections/tables/course-codec.ts';
import type { Db } from '../connection/database.ts';

/** Columns that a decision depends on, without the course of care and its providers. */
const DECIDING_COLUMNS = [
  'stream',
  'status',
  'submission_uuid',
  'practice_id',
  'version',
  'stamp',
  'source',
  'key_kind',
  'fingerprints',
  'duplicate_of',
  'revision',
  'recorded_position',
] as const;

/** Adds the course of care and its providers, for the complete record. */
export const LOADED_COLUMNS = [
  ...DECIDING_COLUMNS,
  'course',
  'providers',
  'chart_number',
  'attendant',
  'certifier',
] as const;

/** Only flagged rows need the lookup. @param row alias of the row in the statement */
export const dismissedMatches = (row: string) => sql<readonly string[]>`
  case when ${sql.ref(`${row}.was_flagged`)} then array(
    select dismissed.duplicate_of::text from read.duplicate_pair dismissed
    where dismissed.submission_uuid = ${sql.ref(`${row}.submission_uuid`)} and dismissed.is_dismissed
  ) else '{}'::text[] end`;

export const DISMISSED_MATCHES = dismissedMatches('birth_record').as('dismissed_matches');

export type DecidingRow = Pick<ReadRows['read.birth_record'], (typeof DECIDING_COLUMNS)[number]> & {
  readonly dismissed_matches: readonly string[];
};

export type LoadedRow = DecidingRow &
  Pick<ReadRows['read.birth_record'], (typeof LOADED_COLUMNS)[number]>;

/** Record in a row. Its revision lets an append reject stale data. */
const buildLoadedRecord = (
  row: DecidingRow,
  course: CourseOfCare,
  providers: readonly NamedProvider[],
): LoadedRecord => ({
  state: {
    status: row.status,
    submissionUuid: row.submission_uuid,
    practiceId: row.practice_id,
    version: row.version,
    stamp: row.stamp,
    source: row.source,
    keyKind: row.key_kind,
    course,
    providers,
    fingerprints: row.fingerprints,
    duplicateOf: row.duplicate_of,
    dismissedMatches: row.dismissed_matches,
  },
  expectedRevision: BigInt(row.revision),
  firstPosition: BigInt(row.recorded_position),
});

/** Finds records by stream, using the index on the hash of the stream. */
export const isOnStream = (streams: readonly string[]): RawBuilder<SqlBool> =>
  sql`hashtext(stream) = any(
      array(select hashtext(wanted) from unnest(${[...streams]}::text[]) wanted))
    and stream = any(${[...streams]}::text[])`;

export const createDecisionReads = (db: Db) => ({
  /** The append checks the revision, so a stale row cannot do harm. */
  loadRecords: (async (streams) => {
    const rows = await db
      .selectFrom('read.birth_record')
      .select([...LOADED_COLUMNS, DISMISSED_MATCHES])
      .where(isOnStream(streams))
      .execute();
    return new Map(
      rows.map((row): [string, LoadedRecord] => [
        row.stream,
        buildLoadedRecord(
          row,
          { ...decodeCourse(row), attendant: row.attendant, certifier: row.certifier },
          row.providers,
        ),
      ]),
    );
  }) satisfies LoadRecords,

  /** Finds the stream of a record. Returns `null` if the id is not a UUID. */
  findRecordStream: (async (practiceId, submissionUuid) => {
    if (!isUuid(submissionUuid)) return null;
    const row = await db
      .selectFrom('read.birth_record')
      .select('stream')
      .where('submission_uuid', '=', submissionUuid)
      .where('practice_id', '=', practiceId)
      .executeTakeFirst();
    return row?.stream ?? null;
  }) satisfies FindRecordStream,

  findMatchCandidates: (async ({ practiceId, submissionUuid, fingerprints, duplicateOf }) => {
    const { rows } = await sql<{ stream: string; is_older: boolean }>`
      with holder as (
        select held.submission_uuid
        from unnest(${[...fingerprints]}::text[]) asked (fingerprint)
        cross join lateral (
          select submission_uuid from read.birth_record
          where fingerprints @> array[asked.fingerprint]
          offset 0
        ) held
        union
        select ${duplicateOf}::uuid
      ), candidate as (
        select record.stream, record.recorded_position,
          record.recorded_position < own.recorded_position as is_older,
          record.submission_uuid is not distinct from ${duplicateOf}::uuid as is_named
        from holder
        join read.birth_record record using (submission_uuid)
        join read.birth_record own on own.submission_uuid = ${submissionUuid}
        where record.practice_id = ${practiceId} and record.submission_uuid <> own.submission_uuid
      )
      select stream, is_older from candidate where is_older or is_named
      order by recorded_position
      limit ${MAX_CANDIDATES}`.execute(db);
    return rows.map((row) => ({ stream: row.stream, isOlder: row.is_older }));
  }) satisfies FindMatchCandidates,

  loadFingerprintHolders: (async (practiceId, fingerprints, limit) => {
    if (fingerprints.length === 0) return [];
    // `offset 0`: without statistics, Postgres would scan the whole table, or all records of the practice.
    const { rows } = await sql<{
      fingerprint: string;
      submission_uuid: string;
      duplicate_of: string | null;
      is_live: boolean;
      dismissed_matches: readonly string[];
      recorded_position: string;
    }>`
      select asked.fingerprint, held.submission_uuid, held.duplicate_of,
        held.status = 'live' as is_live, held.recorded_position, ${dismissedMatches('held')} as dismissed_matches
      from unnest(${[...new Set(fingerprints)]}::text[]) asked (fingerprint)
      cross join lateral (
        select * from (
          select submission_uuid, duplicate_of, was_flagged, recorded_position, practice_id, status
          from read.birth_record
          where fingerprints @> array[asked.fingerprint]
          offset 0
        ) holder
        where holder.practice_id = ${practiceId}
        order by holder.status = 'live' desc, holder.recorded_position
        limit ${limit}
      ) held
      order by asked.fingerprint, held.status = 'live' desc, held.recorded_position`.execute(db);
    return rows.map((row) => ({
      fingerprint: row.fingerprint,
      submissionUuid: row.submission_uuid,
      duplicateOf: row.duplicate_of,
      isLive: row.is_live,
      dismissedMatches: row.dismissed_matches,
      age: BigInt(row.recorded_position),
    }));
  }) satisfies LoadFingerprintHolders,
});

const MAX_CANDIDATES = 500;
