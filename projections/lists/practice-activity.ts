import type { RecordLine } from './records.ts';
import type { ListedRevival, WorkRecord } from './work-items.ts';

export interface ListedPendingRevival extends WorkRecord, ListedRevival {
  readonly submissionUuid: string;
}

/** Versions from which on a record counts as sent over and over: no birth is corrected as often. */
export const RESENT_VERSIONS = 100;

export interface ResentRecord extends WorkRecord {
  readonly submissionUuid: string;
  readonly version: number;
  /** Name of the partner or key that sent it last; `null` if the key has no name. */
  readonly sentBy: string | null;
  readonly changedAt: Date;
}

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

export type RecentRecord = Omit<RecordLine, 'childNames' | 'born' | 'place'>;

export interface ListedPush {
  readonly ingestionId: string;
  readonly receivedAt: Date;
  readonly keyName: string | null;
  /** Null for a native key. */
  readonly partnerName: string | null;
  readonly status: 'queued' | 'processing' | 'completed' | 'failed';
  readonly records: number;
  /** Null until completed. */
  readonly accepted: number | null;
  readonly rejected: number | null;
  /** Fixed sentence that explains a failure, or null. */
  readonly error: string | null;
}

export interface PushQuery {
  readonly from: number;
  readonly count: number;
  readonly most: number;
}
