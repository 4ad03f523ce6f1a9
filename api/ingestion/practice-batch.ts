import type { AppendToStream } from '../../domain/event-log.ts';
import type { BatchRecords } from './batch-records.ts';
import type { WorkerPorts } from './worker-ports.ts';

/** A practice's ingestions under one practice lease. */
export interface PracticeBatch {
  readonly registry: WorkerPorts;
  readonly records: BatchRecords;
  /** Appends while the lease lasts. @throws PracticeLeaseLost */
  readonly append: AppendToStream;
  /**
   * Called when an ingestion is complete: it is not picked again, and its row is deleted once the
   * read tables show its end.
   * @param position of its last event in the log; by default, the last position written under the lease
   */
  readonly noteDone: (ingestionId: string, position?: bigint) => void;
  readonly isSettled: () => boolean;
  /** Waits until the read tables show everything a former lease holder may have written. */
  readonly settle: () => Promise<void>;
  /** Renews the lease for the next batch. @throws PracticeLeaseLost */
  readonly renew: () => Promise<void>;
  /** True if another process should have the lease now. */
  readonly isOver: () => Promise<boolean>;
  /** Limits the memory of the batch. */
  readonly trim: () => Promise<void>;
}
