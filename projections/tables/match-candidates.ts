import type { ReadView } from '../projection.ts';

/** Row of `read.look_alike`. */
export interface LookAlikeRow {
  readonly submission_uuid: string;
  readonly practice_id: string;
  readonly other_uuid: string;
  readonly other_was_flagged: boolean;
  readonly is_newer: boolean;
}

/**
 * A live record, another one that looks like it, and whether the first counts as the newer of the
 * two: the flag says so, else the order in which they were first recorded. Records look alike that
 * share a fingerprint, or of which one is flagged for the other, and that were not told apart.
 * A view: whatever is voided, brought back or amended opens and closes pairs by itself. Ask it for
 * one record at a time, by `submission_uuid`. A pair that shares several fingerprints is there as
 * often.
 * @see spec "Duplicate fingerprint"
 */
export const LOOK_ALIKES = {
  name: 'look_alike',
  version: 1,
  // Each fingerprint is looked up by itself, as in a turn; `offset 0` keeps other conditions apart.
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
        select from "${schema}".duplicate_pair told
        where told.is_dismissed and told.submission_uuid = one.submission_uuid
          and told.duplicate_of = other.submission_uuid
      )
      and not exists (
        select from "${schema}".duplicate_pair told
        where told.is_dismissed and told.submission_uuid = other.submission_uuid
          and told.duplicate_of = one.submission_uuid
      )`,
} as const satisfies ReadView & { readonly version: number };
