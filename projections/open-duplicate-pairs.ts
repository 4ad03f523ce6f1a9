import type { ReadView } from './projection.ts';

/** Row of `read.open_duplicate_pair`: a pair of look-alikes that somebody is to decide on. */
export interface OpenDuplicatePairRow {
  readonly submission_uuid: string;
  /** Submission uuid of the older record. */
  readonly duplicate_of: string;
  readonly practice_id: string;
  readonly since: Date;
}

/**
 * Pairs that are open: both records live, not told apart, and the younger one not flagged for
 * another by now. A view, for voiding the older record closes a pair, and its return opens it again,
 * without an event of the younger one.
 * @see spec "Duplicate fingerprint"
 */
export const OPEN_DUPLICATE_PAIRS = {
  name: 'open_duplicate_pair',
  version: 1,
  query: (schema) => `
    select pair.submission_uuid, pair.duplicate_of, pair.practice_id, pair.since
    from "${schema}".duplicate_pair pair
    join "${schema}".birth_record newer using (submission_uuid, duplicate_of)
    join "${schema}".birth_record older on older.submission_uuid = pair.duplicate_of
    where newer.status = 'live' and older.status = 'live' and not pair.is_dismissed`,
} as const satisfies ReadView & { readonly version: number };
