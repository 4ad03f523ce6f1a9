import {
  type DocumentsPer,
  documentBundleOf,
  documentBundlesOf,
  type ExportedRecord,
} from '../../domain/bfdr/writing/document-bundle.ts';
import type { OffsetAt } from '../../domain/course-of-care/entering/clock-changes.ts';
import type { JsonObject } from '../../domain/fhir/json.ts';
import type { ExportableRecord } from '../../projections/record-exports.ts';

/**
 * A record as the BFDR document Bundle in which it leaves the registry.
 * @param offsetAt of the practice's time zone; null: it has set none
 */
export const bundleOf = (record: ExportableRecord, offsetAt: OffsetAt | null = null): JsonObject =>
  documentBundleOf(exportedRecordOf(record), offsetAt);

/** A record as one document Bundle, or as one for each child. */
export const bundlesOf = (
  record: ExportableRecord,
  per: DocumentsPer,
  offsetAt: OffsetAt | null,
): readonly JsonObject[] => documentBundlesOf(exportedRecordOf(record), per, offsetAt);

const exportedRecordOf = ({
  version: _,
  position: __,
  ...record
}: ExportableRecord): ExportedRecord => ({
  ...record,
  changedAt: record.changedAt.toISOString(),
});
