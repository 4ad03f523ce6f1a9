import type { ReadView } from '../projection.ts';

/** Row of `read.open_duplicate_pair`: a pair of look-alikes to decide on. */
export interface OpenDuplicatePairRow {
  /** The newer of the two. */
  readonly submission_uuid: string;
  /** Submission uuid of the older one. */
  readonly duplicate_of: string;
  readonly practice_id: string;
  readonly since: Date;
}

/**
 * Pairs that are open: every two look-alikes. Of each two, one was flagged when they came to look
 * alike, for these two or for an older one of them: so only flagged records are looked at, by an
 * index, and not all of a practice.
 * @see spec "Duplicate fingerprint"
 */
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
} as const satisfies ReadView & { readonly version: number };
