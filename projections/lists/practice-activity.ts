import type { Actor } from '../../domain/event-log.ts';

/** A record that a person voided and a Bundle has made live again, as the home page lists it. */
export interface ListedPendingRevival
  extends Pick<
    RecentRecord,
    'submissionUuid' | 'chartNumber' | 'motherName' | 'keyKind' | 'children' | 'fetalDeaths'
  > {
  /** `YYYY-MM-DD`, or `YYYY` where no more is kept. */
  readonly born: string | null;
  /** The version that made it live again. */
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
  /** As records name it: `fhir_push`, `csv`. */
  readonly source: string;
  /** Name of the partner, else of the key, else null. */
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
