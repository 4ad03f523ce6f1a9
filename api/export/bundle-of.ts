import {
  type DocumentsPer,
  documentBundleOf,
  documentBundlesOf,
  type ExportedRecord,
} from '../../domain/bfdr/writing/document-bundle.ts';
import type { JsonObject } from '../../domain/fhir/json.ts';
import type { ExportableRecord } from '../../projections/record-exports.ts';

/** A record as the BFDR document Bundle in which it leaves the registry. */
export const bundleOf = (record: ExportableRecord): JsonObject =>
  documentBundleOf(exportedRecordOf(record));

/** A record as one document Bundle, or as one for each child. */
export const bundlesOf = (record: ExportableRecord, per: DocumentsPer): readonly JsonObject[] =>
  documentBundlesOf(exportedRecordOf(record), per);

const exportedRecordOf = ({
  version: _,
  position: __,
  ...record
}: ExportableRecord): ExportedRecord => ({
  ...record,
  changedAt: record.changedAt.toISOString(),
});
