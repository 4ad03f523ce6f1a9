import type { AppendToStream } from '../../domain/event-log.ts';
import type { BatchRecords } from './batch-records.ts';
import type { WorkerPorts } from './worker-ports.ts';

export interface PracticeBatch {
  readonly ports: WorkerPorts;
  readonly records: BatchRecords;
  /** @throws PracticeLeaseLost */
  readonly append: AppendToStream;
  /**
   * Excludes a complete ingestion from later picks.
   * @param position of its last event; by default, the last position written under the lease
   */
  readonly noteDone: (ingestionId: string, position?: bigint) => void;
  readonly isSettled: () => boolean;
  /** Waits until the read tables show everything a former lease holder may have written. */
  readonly settle: () => Promise<void>;
  /** @throws PracticeLeaseLost */
  readonly renew: () => Promise<void>;
  readonly isOver: () => Promise<boolean>;
  readonly trim: () => Promise<void>;
}
