import { documentBundleOf } from '../../domain/bfdr/writing/document-bundle.ts';
import type { JsonObject } from '../../domain/fhir/json.ts';
import type { ExportableRecord } from '../../projections/record-exports.ts';

/** A record as the BFDR document Bundle in which it leaves the registry. */
export const bundleOf = ({ version: _, position: __, ...record }: ExportableRecord): JsonObject =>
  documentBundleOf({ ...record, changedAt: record.changedAt.toISOString() });
