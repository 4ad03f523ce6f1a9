import type { ReadView } from '../projection.ts';
import type { BirthRecordRow, RecordSummary } from './birth-records.ts';

/** Row of `read.record_listing`: a record as lists show and searches find it. */
export interface RecordListingRow
  extends RecordSummary,
    Pick<
      BirthRecordRow,
      | 'submission_uuid'
      | 'practice_id'
      | 'chart_number'
      | 'status'
      | 'version'
      | 'source'
      | 'key_kind'
      | 'changed_at'
    > {
  /** The folded chart number from its end: people know the last digits. */
  readonly chart_backwards: string | null;
}

/** What lists of records show, and what a search finds them by; voided ones too. */
export const RECORD_LISTING = {
  name: 'record_listing',
  version: 6,
  query: (schema) => `
    select submission_uuid, practice_id, chart_number, chart_folded,
      reverse(chart_folded) as chart_backwards, mother_name, child_names, born, children,
      fetal_deaths, place, status, version, source, key_kind, is_prefilled, words, changed_at
    from "${schema}".birth_record`,
} as const satisfies ReadView & { readonly version: number };
