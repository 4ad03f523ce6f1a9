import type { CamelRow } from '../read-model.ts';
import type { RecordLine } from './records.ts';
import type { ListedRevival, WorkRecord } from './work-items.ts';

export interface ListedPendingRevival extends WorkRecord, ListedRevival {
  readonly submissionUuid: string;
}

/** Versions from which on a record counts as sent over and over: no birth is corrected as often. */
export const RESENT_VERSIONS = 100;

export interface ResentRecord
  extends WorkRecord,
    Pick<RecordLine, 'submissionUuid' | 'version' | 'changedAt'> {
  /** Name of the partner or key that sent it last; `null` if the key has no name. */
  readonly sentBy: string | null;
}

export interface RecentSubmission
  extends Pick<
    CamelRow<'ingestion'>,
    'ingestionId' | 'receivedAt' | 'source' | 'status' | 'accepted' | 'rejected'
  > {
  /** Name of the partner, or of the key for a native push; null if the key has no name. */
  readonly sentBy: string | null;
  readonly records: number;
}

export type RecentRecord = Omit<RecordLine, 'childNames' | 'born' | 'place'>;

export interface ListedPush extends Omit<RecentSubmission, 'source' | 'sentBy'> {
  readonly keyName: string | null;
  /** Null for a native key. */
  readonly partnerName: string | null;
  /** Fixed sentence that explains a failure, or null. */
  readonly error: string | null;
}

export interface PushQuery {
  readonly from: number;
  readonly count: number;
  readonly most: number;
}
