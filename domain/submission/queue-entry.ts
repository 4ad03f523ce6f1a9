import type { SubmissionSource } from '../birth-record/events.ts';
import type { Actor } from '../event-log.ts';
import type { IngestionEnvelope } from './events.ts';
import type { QueuedItem } from './queued-item.ts';

export interface NewQueueEntry extends Omit<IngestionEnvelope, 'imported' | 'keyId' | 'keyKind'> {
  readonly keyId: string;
  readonly keyKind: 'native' | 'partner';
  /** True if its id is derived from an idempotency key, so that an earlier request may have used it. */
  readonly isKeyed: boolean;
  /** Courses in chunks, in the order of the submission. */
  readonly chunks: readonly (readonly QueuedItem[])[];
}

/** Submission in the queue, not known to have ended. */
export interface QueueEntry extends IngestionEnvelope {
  readonly source: SubmissionSource;
  readonly actor: Actor;
  /** Its only chunk, encrypted, if loaded with the entry. */
  readonly sealed: Buffer | null;
  /** Attempts that ended in a fault, or in the death of their process. */
  readonly attempts: number;
  /** True if a worker has begun it: some of its records may be in the log. */
  readonly mayBePartiallyRecorded: boolean;
  /** Revision of the ingestion's last projected event; `null` if none is projected. */
  readonly revision: bigint | null;
  /** True if the projector skips later events of this ingestion. */
  readonly isParked: boolean;
  /** Class name of the error that ended the last attempt; `null` if none was recorded. */
  readonly lastFault: string | null;
  readonly isExpired: boolean;
}
