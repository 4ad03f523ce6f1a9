import { documentBundleOf } from '../../domain/bfdr/writing/document-bundle.ts';
import type { OffsetAt } from '../../domain/course-of-care/entering/clock-changes.ts';
import { maskForPartner } from '../../domain/course-of-care/mask.ts';
import type { JsonObject } from '../../domain/fhir/json.ts';
import type { ExportableRecord } from '../../projections/record-exports.ts';

/**
 * A record as the BFDR document Bundle in which it leaves the registry.
 * @param offsetAt of the practice's time zone; null: it has set none
 */
export const bundleOf = (
  { version: _, position: __, ...record }: ExportableRecord,
  offsetAt: OffsetAt | null = null,
): JsonObject =>
  documentBundleOf({ ...record, changedAt: record.changedAt.toISOString() }, offsetAt);

/**
 * The same for a partner. A version that a partner sent keeps the identified values of a native one before it:
 * they belong to the practice, so the whole is masked once more.
 * @see spec "Push lane", key kinds, Stored
 */
export const maskedBundleOf = (record: ExportableRecord): JsonObject =>
  bundleOf({ ...record, course: maskForPartner(record.course) });
