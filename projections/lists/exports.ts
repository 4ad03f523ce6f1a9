import type { CourseOfCare } from '../../domain/course/course.ts';
import type { NamedProvider } from '../../domain/provider/details.ts';

export interface ExportableRecord {
  readonly submissionUuid: string;
  readonly status: 'live' | 'voided';
  readonly version: number;
  /** Kind of the key that sent the current version; null if a person entered it. */
  readonly keyKind: 'native' | 'partner' | null;
  readonly stamp: string | null;
  readonly changedAt: Date;
  /** Log position of its last event, in decimal digits. */
  readonly position: string;
  readonly course: CourseOfCare;
  readonly providers: readonly NamedProvider[];
}

export interface ListedForExport {
  readonly submissionUuid: string;
  readonly status: 'live' | 'voided';
  readonly children: number;
  readonly transfers: number;
}
