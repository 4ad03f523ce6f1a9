import { type DocumentsPer, documentBundlesOf } from '../../domain/bfdr/writing/document-bundle.ts';
import type { OffsetAt } from '../../domain/course-of-care/entering/clock-changes.ts';
import type { JsonObject } from '../../domain/fhir/json.ts';
import type { ExportableRecord } from '../../projections/record-exports.ts';

/**
 * A record as one document Bundle, or as one for each child.
 * @param offsetAt of the practice's time zone; null: it has set none
 */
export const bundlesOf = (
  { version: _, position: __, ...record }: ExportableRecord,
  per: DocumentsPer,
  offsetAt: OffsetAt | null,
): readonly JsonObject[] =>
  documentBundlesOf({ ...record, changedAt: record.changedAt.toISOString() }, per, offsetAt);
