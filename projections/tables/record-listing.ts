import type { ReadView } from '../projection.ts';
import type { BirthRecordRow, RecordSummary } from './birth-records.ts';

/** Row of `read.record_listing`: a record in lists and searches. */
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
  /** Folded chart number, reversed: staff search by the last digits. */
  readonly chart_backwards: string | null;
}

/** Live and voided records, with the columns for lists and searches. */
export const RECORD_LISTING = {
  name: 'record_listing',
  version: 6,
  query: (schema) => `
    select submission_uuid, practice_id, chart_number, chart_folded,
      reverse(chart_folded) as chart_backwards, mother_name, child_names, born, children,
      fetal_deaths, place, status, version, source, key_kind, is_prefilled, words, changed_at
    from "${schema}".birth_record`,
} as const satisfies ReadView & { readonly version: number };
