import type { BirthRecordEvent } from '../../domain/birth-record/events.ts';
import type { StoredEvent } from '../../domain/event-log.ts';
import {
  type Change,
  column,
  defineTable,
  type Handlers,
  type ReadView,
  upsert,
} from '../projection.ts';

const duplicatePair = defineTable({
  name: 'duplicate_pair',
  columns: {
    submission_uuid: column.uuid(),
    /** Submission uuid of the older record. */
    duplicate_of: column.uuid(),
    practice_id: column.text(),
    is_dismissed: column.boolean(),
    /** Time it was last flagged, dismissed, or flagged again. */
    since: column.timestamptz(),
    actor_kind: column.text(),
    actor_id: column.text(),
  },
  key: ['submission_uuid', 'duplicate_of'],
  indexes: ['(practice_id, since)', '(duplicate_of)'],
});

/** Pairs with a voided record need no decision. @see spec "Duplicate fingerprint" */
export const duplicatePairs = {
  name: 'duplicate_pairs',
  version: 2,
  tables: [duplicatePair],
  on: {
    DuplicateFlagged: (data, stored) => [buildPair(data, false, stored)],
    DuplicateDismissed: (data, stored) => [buildPair(data, true, stored)],
    DuplicateFlagRestored: (data, stored) => [buildPair(data, false, stored)],
  } satisfies Partial<Handlers<BirthRecordEvent>>,
};

const buildPair = (
  { submissionUuid, duplicateOf, practiceId }: BirthRecordEvent<'DuplicateFlagged'>['data'],
  isDismissed: boolean,
  { metadata }: StoredEvent,
): Change =>
  upsert('duplicate_pair', {
    submission_uuid: submissionUuid,
    duplicate_of: duplicateOf,
    practice_id: practiceId,
    is_dismissed: isDismissed,
    since: metadata.recordedAt,
    actor_kind: metadata.actor.kind,
    actor_id: metadata.actor.id,
  });

/**
 * Match candidates of a live record. `is_newer` is true if the record is the newer of the two,
 * according to the flag, or else to the order in which they were first recorded. Match candidates
 * share a fingerprint, or one is flagged as a duplicate of the other, and the pair was not
 * dismissed. A view, because voids, revivals, and amendments open and close pairs without an event
 * of their own. Query it for one record at a time, by `submission_uuid`. A pair that shares several
 * fingerprints is repeated.
 * @see spec "Duplicate fingerprint"
 */
export const MATCH_CANDIDATES = {
  name: 'look_alike',
  version: 1,
  // Looks up each fingerprint separately, like `WorkingSet`; `offset 0` keeps the planner from pushing other
  // conditions into the lookup.
  query: (schema) => `
    select one.submission_uuid, one.practice_id, other.submission_uuid as other_uuid,
      other.was_flagged as other_was_flagged,
      case
        when one.duplicate_of = other.submission_uuid
          and other.duplicate_of is distinct from one.submission_uuid then true
        when other.duplicate_of = one.submission_uuid
          and one.duplicate_of is distinct from other.submission_uuid then false
        else one.recorded_position > other.recorded_position
      end as is_newer
    from "${schema}".birth_record one
    cross join lateral (
      select holder.*
      from unnest(one.fingerprints) shared (fingerprint)
      cross join lateral (
        select held.submission_uuid, held.practice_id, held.status, held.duplicate_of,
          held.was_flagged, held.recorded_position
        from "${schema}".birth_record held
        where held.fingerprints @> array[shared.fingerprint]
        offset 0
      ) holder
      union all
      select named.submission_uuid, named.practice_id, named.status, named.duplicate_of,
        named.was_flagged, named.recorded_position
      from "${schema}".birth_record named
      where named.submission_uuid = one.duplicate_of
      union all
      select naming.submission_uuid, naming.practice_id, naming.status, naming.duplicate_of,
        naming.was_flagged, naming.recorded_position
      from "${schema}".duplicate_pair pair
      join "${schema}".birth_record naming on naming.submission_uuid = pair.submission_uuid
      where pair.duplicate_of = one.submission_uuid and naming.duplicate_of = one.submission_uuid
    ) other
    where one.status = 'live' and other.status = 'live'
      and other.practice_id = one.practice_id and other.submission_uuid <> one.submission_uuid
      and not exists (
        select from "${schema}".duplicate_pair decided
        where decided.is_dismissed and decided.submission_uuid = one.submission_uuid
          and decided.duplicate_of = other.submission_uuid
      )
      and not exists (
        select from "${schema}".duplicate_pair decided
        where decided.is_dismissed and decided.submission_uuid = other.submission_uuid
          and decided.duplicate_of = one.submission_uuid
      )`,
} as const satisfies ReadView;

/** Every open pair has a flagged record, so only those are read. @see spec "Duplicate fingerprint" */
export const OPEN_DUPLICATE_PAIRS = {
  name: 'open_duplicate_pair',
  version: 2,
  query: (schema) => `
    select
      case when alike.is_newer then flagged.submission_uuid else alike.other_uuid
      end as submission_uuid,
      case when alike.is_newer then alike.other_uuid else flagged.submission_uuid
      end as duplicate_of,
      flagged.practice_id,
      coalesce(
        (select max(pair.since) from "${schema}".duplicate_pair pair
          where pair.submission_uuid = flagged.submission_uuid
            and pair.duplicate_of = alike.other_uuid),
        (select min(pair.since) from "${schema}".duplicate_pair pair
          where pair.submission_uuid = flagged.submission_uuid)
      ) as since
    from "${schema}".birth_record flagged
    cross join lateral (
      select distinct found.other_uuid, found.other_was_flagged, found.is_newer
      from "${schema}".look_alike found
      where found.submission_uuid = flagged.submission_uuid
      offset 0
    ) alike
    where flagged.was_flagged and flagged.status = 'live'
      and (alike.is_newer or not alike.other_was_flagged)`,
} as const satisfies ReadView;
