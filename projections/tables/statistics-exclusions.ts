import type { ReadView } from '../projection.ts';

/** Row of `read.statistics_exclusion`: a record that figures or benchmarks leave out, and why. */
export interface StatisticsExclusionRow {
  readonly submission_uuid: string;
  readonly practice_id: string;
  /**
   * `voided`: in no figure. `sandbox`: in no benchmark. `attendant_other`: in no benchmark by
   * attendant.
   */
  readonly reason: 'voided' | 'sandbox' | 'attendant_other';
  readonly since: Date;
}

/**
 * What statistics leave out. A view, for it follows from the records, practices and providers: a
 * practice that becomes a sandbox, or a provider whose role changes, moves all its records at once.
 * @see docs/decisions/2026-11-20-statistics.md
 */
export const STATISTICS_EXCLUSIONS = {
  name: 'statistics_exclusion',
  version: 2,
  query: (schema) => `
    select record.submission_uuid, record.practice_id, 'voided' as reason,
      record.voided_at as since
    from "${schema}".birth_record record
    where record.status = 'voided'
    union all
    select record.submission_uuid, record.practice_id, 'sandbox',
      greatest(practice.sandbox_since, record.recorded_at)
    from "${schema}".birth_record record
    join "${schema}".practice practice using (practice_id)
    where practice.sandbox
    union all
    -- Since the record named that attendant, or since that provider was last told of.
    select entry.submission_uuid, entry.practice_id, 'attendant_other',
      greatest(entry.named_at, survivor.changed_at)
    from "${schema}".career_entry entry
    join "${schema}".provider named on named.provider_id = entry.provider_id
    join "${schema}".provider survivor on survivor.provider_id = named.survivor_id
    join "${schema}".birth_record record using (submission_uuid)
    where entry.part = 'attendant' and survivor.role = 'other' and record.status = 'live'`,
} as const satisfies ReadView & { readonly version: number };
