import type { CourseOfCare } from '../../domain/course/course.ts';
import type { NamedProvider } from '../../domain/provider/details.ts';
import type { RecordSearch } from './records.ts';

/** A record as exports read it. */
export interface ExportableRecord {
  readonly submissionUuid: string;
  readonly status: 'live' | 'voided';
  readonly version: number;
  /** Kind of the key that sent the current version; null if a person entered it. */
  readonly keyKind: 'native' | 'partner' | null;
  readonly stamp: string | null;
  /** Time of the last change or void. */
  readonly changedAt: Date;
  /** Log position of its last event, in decimal digits. */
  readonly position: string;
  readonly course: CourseOfCare;
  readonly providers: readonly NamedProvider[];
}

/**
 * Reads records in the order of their last change, voided ones too.
 * @param since the first moment of change that is asked for; null: all
 * @param after the position of the last record that was read; null: from the beginning
 */
export type ReadChangedRecords = (
  practiceId: string,
  since: Date | null,
  after: string | null,
  most: number,
) => Promise<readonly ExportableRecord[]>;

/** Counts the records that changed at a moment or later, voided ones too. @param since null: all */
export type CountChangedRecords = (practiceId: string, since: Date | null) => Promise<number>;

/** Reads records of a practice by their ids, in that order; those that it does not hold are left out. */
export type ReadExportable = (
  practiceId: string,
  submissionUuids: readonly string[],
) => Promise<readonly ExportableRecord[]>;

/** A record that an export would contain. */
export interface ListedForExport {
  readonly submissionUuid: string;
  readonly status: 'live' | 'voided';
  readonly children: number;
  readonly transfers: number;
}

/**
 * Lists what an export would hold, those that changed first coming first.
 * @param chosen ids of records, or the search that finds them
 */
export type ListForExport = (
  practiceId: string,
  chosen: readonly string[] | RecordSearch,
  most: number,
) => Promise<readonly ListedForExport[]>;

/** The last export of a record; null: it was never exported whole. */
export type FindLastExport = (
  submissionUuid: string,
) => Promise<{ readonly version: number; readonly at: Date } | null>;
