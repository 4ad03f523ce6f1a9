import { sql } from 'kysely';
import { isUnlikelyMatch } from '../../../domain/birth-record/duplicates/match-score.ts';
import type { SubmissionSource } from '../../../domain/birth-record/events.ts';
import type { Actor } from '../../../domain/event-log.ts';
import { isUuid } from '../../../domain/text-input.ts';
import {
  type DismissedPair,
  MAX_OPEN_PAIRS,
  type PairIds,
  type PairRecord,
  type SuspectedPair,
} from '../../../projections/lists/duplicates.ts';
import { decodeCourse, type StoredCourse } from '../../../projections/tables/course-codec.ts';
import type { Db } from '../connection/database.ts';

/** Maximum number of pairs whose records are compared for the order, to limit the time it takes. */
const MAX_COMPARED = 200;

interface ListedPair extends PairIds {
  readonly newer_record: SideRow | null;
  readonly older_record: SideRow | null;
}

/** Lists the open pairs of a practice, likely matches first. */
export const createListSuspected =
  (db: Db) =>
  async (practiceId: string): Promise<readonly PairIds[]> => {
    // The limit comes before the sort, because pairs grow with the square of similar records.
    const { rows } = await sql<ListedPair>`
      select pair.newer, pair.older,
        case when nth <= ${MAX_COMPARED} then ${side('newer')} end as newer_record,
        case when nth <= ${MAX_COMPARED} then ${side('older')} end as older_record
      from (
        select submission_uuid as newer, duplicate_of as older,
          row_number() over (order by since, submission_uuid, duplicate_of) as nth
        from (
          select * from read.open_duplicate_pair where practice_id = ${practiceId}
          limit ${MAX_OPEN_PAIRS}
        ) found
      ) pair
      join read.birth_record newer on newer.submission_uuid = pair.newer
      join read.birth_record older on older.submission_uuid = pair.older
      order by nth`.execute(db);
    const isLikely = ({ newer_record: newer, older_record: older }: ListedPair): boolean =>
      newer === null ||
      older === null ||
      !isUnlikelyMatch(decodeCourse(older), decodeCourse(newer));
    const [likely, unlikely] = [rows.filter(isLikely), rows.filter((row) => !isLikely(row))];
    return [...likely, ...unlikely].map(({ newer, older }) => ({ newer, older }));
  };

type PairRow = Readonly<Record<'newer' | 'older', Omit<SideRow, 'submission_uuid'>>>;

interface SideRow {
  readonly submission_uuid: string;
  readonly chart_number: string | null;
  readonly stamp: string | null;
  readonly version: number;
  readonly source: SubmissionSource;
  readonly key_kind: 'native' | 'partner' | null;
  readonly recorded_at: string;
  readonly changed_at: string;
  readonly course: StoredCourse;
  readonly attendant: string | null;
  readonly certifier: string | null;
  readonly actor: Actor;
}

/** Loads an open pair with both courses of care. Returns `null` if an id is not a UUID. */
export const createLoadSuspectedPair =
  (db: Db) =>
  async (practiceId: string, ids: PairIds): Promise<SuspectedPair | null> => {
    if (!isUuid(ids.newer) || !isUuid(ids.older)) return null;
    const { rows } = await sql<PairRow>`
      select ${side('newer')} as newer, ${side('older')} as older
      from read.birth_record newer
      join read.birth_record older on older.submission_uuid = ${ids.older}
      where newer.submission_uuid = ${ids.newer} and newer.practice_id = ${practiceId}
        and exists (
          select from read.look_alike alike
          where alike.submission_uuid = ${ids.newer} and alike.other_uuid = ${ids.older}
            and alike.is_newer
        )`.execute(db);
    const [row] = rows;
    if (row === undefined) return null;
    return {
      newer: recordOf({ ...row.newer, submission_uuid: ids.newer }),
      older: recordOf({ ...row.older, submission_uuid: ids.older }),
    };
  };

const side = (record: 'newer' | 'older') => {
  const column = (name: string) => sql.ref(`${record}.${name}`);
  return sql`jsonb_build_object(
    'chart_number', ${column('chart_number')}, 'stamp', ${column('stamp')},
    'version', ${column('version')},
    'source', ${column('source')}, 'key_kind', ${column('key_kind')},
    'recorded_at', ${column('recorded_at')}, 'changed_at', ${column('changed_at')},
    'course', ${column('course')}, 'attendant', ${column('attendant')},
    'certifier', ${column('certifier')},
    'actor', jsonb_build_object(
      'kind', ${column('actor_kind')}, 'id', ${column('actor_id')}))`;
};

const recordOf = (row: SideRow): PairRecord => ({
  submissionUuid: row.submission_uuid,
  chartNumber: row.chart_number,
  version: row.version,
  source: row.source,
  keyKind: row.key_kind,
  recordedAt: new Date(row.recorded_at),
  changedAt: new Date(row.changed_at),
  actor: row.actor,
  course: { ...decodeCourse(row), attendant: row.attendant, certifier: row.certifier },
});

/** Lists dismissed matches that can be flagged again. */
export const createListDismissed =
  (db: Db) =>
  async (practiceId: string, since: Date, most: number): Promise<readonly DismissedPair[]> => {
    const { rows } = await sql<{
      at: Date;
      actor_kind: Actor['kind'];
      actor_id: string;
      newer_id: string;
      newer_chart: string | null;
      newer_mother: string | null;
      older_id: string;
      older_chart: string | null;
      older_mother: string | null;
    }>`
      select pair.since as at, pair.actor_kind, pair.actor_id,
        newer.submission_uuid as newer_id, newer.chart_number as newer_chart,
        newer.mother_name as newer_mother, older.submission_uuid as older_id,
        older.chart_number as older_chart, older.mother_name as older_mother
      from read.duplicate_pair pair
      join read.record_listing newer on newer.submission_uuid = pair.submission_uuid
      join read.record_listing older on older.submission_uuid = pair.duplicate_of
      where pair.practice_id = ${practiceId} and pair.is_dismissed and pair.since >= ${since}
        and newer.status = 'live' and older.status = 'live'
      order by pair.since desc, pair.submission_uuid
      limit ${most}`.execute(db);
    return rows.map((row) => ({
      at: row.at,
      actor: { kind: row.actor_kind, id: row.actor_id },
      newer: {
        submissionUuid: row.newer_id,
        chartNumber: row.newer_chart,
        motherName: row.newer_mother,
      },
      older: {
        submissionUuid: row.older_id,
        chartNumber: row.older_chart,
        motherName: row.older_mother,
      },
    }));
  };
