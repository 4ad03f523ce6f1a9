import { sql } from 'kysely';
import { isUnlikelyMatch } from '../../../domain/birth-record/duplicates/match-score.ts';
import { isUuid } from '../../../domain/text-input.ts';
import {
  type DismissedPair,
  type ListedPairIds,
  MAX_OPEN_PAIRS,
  type PairIds,
  type PairRecord,
  type SuspectedPair,
} from '../../../projections/lists/duplicates.ts';
import { decodeCourse, type StoredCourse } from '../../../projections/tables/course-codec.ts';
import { withCamelCase } from '../connection/camel-case.ts';
import type { Db } from '../connection/database.ts';

/** Maximum number of pairs whose records are compared for the order, to limit the time it takes. */
const MAX_COMPARED = 200;

interface ListedPair extends ListedPairIds {
  readonly newerRecord: Side | null;
  readonly olderRecord: Side | null;
}

/**
 * Open pairs of a practice, one for each newer record: with the oldest that it matches and that was
 * not dismissed. Once that pair is decided, its next one follows. All at once, because a search for
 * each of thousands of similar records would compare each with each.
 * @see docs/design/duplicates.md#finding
 */
export const selectOpenPairs = (practiceId: string) => sql`
  with flagged as materialized (
    select submission_uuid, duplicate_of, fingerprints, recorded_position from read.birth_record
    where practice_id = ${practiceId} and was_flagged and status = 'live'
  ), asked as materialized (
    select distinct fingerprint from flagged cross join unnest(fingerprints) one (fingerprint)
  ), holder as materialized (
    select asked.fingerprint, held.submission_uuid, held.duplicate_of,
      first_value(held.submission_uuid) over by_age as oldest,
      first_value(held.duplicate_of) over by_age as oldest_duplicate_of
    from asked cross join lateral (
      select submission_uuid, duplicate_of, recorded_position, practice_id, status
      from read.birth_record where fingerprints @> array[asked.fingerprint] offset 0
    ) held
    where held.practice_id = ${practiceId} and held.status = 'live'
    window by_age as (partition by asked.fingerprint order by held.recorded_position)
  ), with_oldest as materialized (
    -- A flag decides which of the two is the newer one.
    select submission_uuid, oldest, coalesce(oldest_duplicate_of = submission_uuid, false)
        and duplicate_of is distinct from oldest as is_turned
    from holder where oldest <> submission_uuid
  ), candidate as (
    select case when is_turned then oldest else submission_uuid end as newer,
      case when is_turned then submission_uuid else oldest end as older
    from with_oldest
    union
    select flagged.submission_uuid, flagged.duplicate_of
    from flagged join read.birth_record named on named.submission_uuid = flagged.duplicate_of
    where named.status = 'live' and named.practice_id = ${practiceId}
      and (named.duplicate_of is distinct from flagged.submission_uuid
        or named.recorded_position < flagged.recorded_position)
  ), dismissed as materialized (
    select submission_uuid, duplicate_of from read.duplicate_pair
    where practice_id = ${practiceId} and is_dismissed
  ), judged as materialized (
    select newer, older,
      (newer, older) in (select submission_uuid, duplicate_of from dismissed)
        or (older, newer) in (select submission_uuid, duplicate_of from dismissed) as is_dismissed
    from candidate
  ), open as (
    select newer, older from judged where not is_dismissed
    union
    -- Few pairs with the oldest one are dismissed; their other matches are searched one by one.
    select undecided.submission_uuid, alike.other_uuid
    from (
      select newer as submission_uuid from judged where is_dismissed
      union select submission_uuid from with_oldest where is_turned
    ) undecided
    cross join lateral (
      select other_uuid from read.look_alike found
      where found.submission_uuid = undecided.submission_uuid and found.is_newer offset 0
    ) alike
  )
  select distinct on (open.newer) open.newer, open.older
  from open join read.birth_record record on record.submission_uuid = open.older
  order by open.newer, record.recorded_position`;

export const createPairReads = (db: Db) => ({
  /** Lists the open pairs of a practice by their older record, likely matches first. */
  async listSuspected(practiceId: string): Promise<readonly ListedPairIds[]> {
    const { rows } = await sql<ListedPair>`
      with pair as (
        select newer, older, count(*) over (partition by older)::integer as records_alike,
          row_number() over (order by group_since, older, since, newer) as nth
        from (
          select *, min(since) over (partition by older) as group_since from (
            select newer, older, coalesce(
              (select min(flag.since) from read.duplicate_pair flag where flag.submission_uuid = newer),
              (select min(flag.since) from read.duplicate_pair flag where flag.submission_uuid = older)
            ) as since
            from (${selectOpenPairs(practiceId)}) open
          ) dated
        ) grouped
      )
      select pair.newer, pair.older, pair.records_alike,
        case when nth <= ${MAX_COMPARED} then ${side('newer')} end as newer_record,
        case when nth <= ${MAX_COMPARED} then ${side('older')} end as older_record
      from (select * from pair order by nth limit ${MAX_OPEN_PAIRS}) pair
      join read.birth_record newer on newer.submission_uuid = pair.newer
      join read.birth_record older on older.submission_uuid = pair.older
      order by nth`.execute(withCamelCase(db));
    const isLikely = ({ newerRecord: newer, olderRecord: older }: ListedPair): boolean =>
      newer === null || older === null || !isUnlikelyMatch(readCourse(older), readCourse(newer));
    // Pairs of a group stay together.
    const likely = new Set(rows.filter(isLikely).map(({ older }) => older));
    return [
      ...rows.filter(({ older }) => likely.has(older)),
      ...rows.filter(({ older }) => !likely.has(older)),
    ].map(({ newer, older, recordsAlike }) => ({ newer, older, recordsAlike }));
  },

  /** Loads an open pair with both courses of care. Returns `null` if an id is not a UUID. */
  async loadSuspectedPair(practiceId: string, ids: PairIds): Promise<SuspectedPair | null> {
    if (!isUuid(ids.newer) || !isUuid(ids.older)) return null;
    const { rows } = await sql<Record<keyof PairIds, Side>>`
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
      newer: recordOf(ids.newer, row.newer),
      older: recordOf(ids.older, row.older),
    };
  },

  /** Lists dismissed matches that can be flagged again. */
  async listDismissed(
    practiceId: string,
    since: Date,
    most: number,
  ): Promise<readonly DismissedPair[]> {
    const line = (record: 'newer' | 'older') => sql`json_build_object(
      'submissionUuid', ${sql.ref(`${record}.submission_uuid`)},
      'chartNumber', ${sql.ref(`${record}.chart_number`)},
      'motherName', ${sql.ref(`${record}.mother_name`)})`;
    const { rows } = await sql<DismissedPair>`
      select pair.since as at,
        json_build_object('kind', pair.actor_kind, 'id', pair.actor_id) as actor,
        ${line('newer')} as newer, ${line('older')} as older
      from read.duplicate_pair pair
      join read.record_listing newer on newer.submission_uuid = pair.submission_uuid
      join read.record_listing older on older.submission_uuid = pair.duplicate_of
      where pair.practice_id = ${practiceId} and pair.is_dismissed and pair.since >= ${since}
        and newer.status = 'live' and older.status = 'live'
      order by pair.since desc, pair.submission_uuid
      limit ${most}`.execute(db);
    return rows;
  },
});

interface Side extends Omit<PairRecord, 'submissionUuid' | 'recordedAt' | 'changedAt' | 'course'> {
  readonly stamp: string | null;
  readonly recordedAt: string;
  readonly changedAt: string;
  readonly course: StoredCourse;
  readonly attendant: string | null;
  readonly certifier: string | null;
}

const side = (record: 'newer' | 'older') => {
  const column = (name: string) => sql.ref(`${record}.${name}`);
  return sql`jsonb_build_object(
    'chartNumber', ${column('chart_number')}, 'stamp', ${column('stamp')},
    'version', ${column('version')},
    'source', ${column('source')}, 'keyKind', ${column('key_kind')},
    'recordedAt', ${column('recorded_at')}, 'changedAt', ${column('changed_at')},
    'course', ${column('course')}, 'attendant', ${column('attendant')},
    'certifier', ${column('certifier')},
    'actor', jsonb_build_object(
      'kind', ${column('actor_kind')}, 'id', ${column('actor_id')}))`;
};

const readCourse = ({ course, stamp, chartNumber }: Side) =>
  decodeCourse({ course, stamp, chart_number: chartNumber });

const recordOf = (submissionUuid: string, side: Side): PairRecord => {
  const { stamp: _, attendant, certifier, ...record } = side;
  return {
    ...record,
    submissionUuid,
    recordedAt: new Date(side.recordedAt),
    changedAt: new Date(side.changedAt),
    course: { ...readCourse(side), attendant, certifier },
  };
};
