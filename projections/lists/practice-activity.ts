import type { Actor } from '../../domain/event-log.ts';

/** A record that a person voided and a Bundle revived, as the home page lists it. */
export interface ListedPendingRevival
  extends Pick<
    RecentRecord,
    'submissionUuid' | 'chartNumber' | 'motherName' | 'keyKind' | 'children' | 'fetalDeaths'
  > {
  /** `YYYY-MM-DD`, or `YYYY` if only the year is stored. */
  readonly born: string | null;
  /** Version that revived it. */
  readonly version: number;
  readonly voidedAt: Date;
  readonly voidedBy: Actor;
  readonly reason: string | null;
  readonly revivedAt: Date;
  readonly revivedBy: Actor;
}

/** A submission as the home page lists it. */
export interface RecentSubmission {
  readonly ingestionId: string;
  readonly receivedAt: Date;
  /** Same values as in records: `fhir_push`, `csv`. */
  readonly source: string;
  /** Name of the partner, or of the key for a native push; null if the key has no name. */
  readonly sentBy: string | null;
  readonly status: 'queued' | 'processing' | 'completed' | 'failed';
  readonly records: number;
  /** Null until it is completed. */
  readonly accepted: number | null;
  readonly rejected: number | null;
}

/** A record as the home page lists it. */
export interface RecentRecord {
  readonly submissionUuid: string;
  readonly chartNumber: string | null;
  readonly motherName: string | null;
  readonly keyKind: 'native' | 'partner' | null;
  readonly children: number;
  readonly fetalDeaths: number;
  readonly status: 'live' | 'voided';
  readonly isSuspectedDuplicate: boolean;
  readonly version: number;
  readonly source: string;
  readonly changedAt: Date;
}
