import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { SubmissionSource } from '../../../domain/birth-record/events.ts';
import type { LoadedRecord } from '../../../domain/birth-record/working-set.ts';
import type { CourseOfCare } from '../../../domain/course/course.ts';
import type { NamedProvider } from '../../../domain/provider/details.ts';
import type { Database } from '../connection/database.ts';

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

/**
 * Dismissed matches of a row of `birth_record`. Only flagged rows need the lookup.
 * @param row alias of the row in the statement
 */
export const dismissedMatches = (row: string) => sql<readonly string[]>`
  case when ${sql.ref(`${row}.was_flagged`)} then array(
    select dismissed.duplicate_of::text from read.duplicate_pair dismissed
    where dismissed.submission_uuid = ${sql.ref(`${row}.submission_uuid`)} and dismissed.is_dismissed
  ) else '{}'::text[] end`;

/** {@link dismissedMatches} as a column of `birth_record`. */
export const DISMISSED_MATCHES = dismissedMatches('birth_record').as('dismissed_matches');

/** Columns of `read.birth_record` that decisions depend on. */
export type DecidingRow = Pick<
  Selectable<Database['read.birth_record']>,
  (typeof DECIDING_COLUMNS)[number]
> & { readonly dismissed_matches: readonly string[] };

/** Record in a row. Its revision lets an append reject stale data. */
export const toLoadedRecord = (
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
    source: row.source as SubmissionSource,
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
