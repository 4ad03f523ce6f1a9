import type { BatchRecords } from './batch-records.ts';
import type { WorkerPorts } from './worker-ports.ts';

/** A practice's turn while it is held: what its work needs of it. */
export interface PracticeBatch {
  readonly registry: WorkerPorts;
  readonly records: BatchRecords;
  /** Few at once, and only while the lease lasts. @throws PracticeLeaseLost */
  readonly append: BatchRecords['append'];
  /**
   * An ingestion was seen through: it is not picked again, and its row is dropped once the read tables show
   * its end.
   * @param position of its end in the log; if not given, as far as this turn has written
   */
  readonly noteDone: (ingestionId: string, position?: bigint) => void;
  readonly isSettled: () => boolean;
  /** Waits until the tables show what a former holder may have written. */
  readonly settle: () => Promise<void>;
  /** Makes the lease last for the next batch. @throws PracticeLeaseLost */
  readonly renew: () => Promise<void>;
  /** Whether another holder should have the turn now. */
  readonly isOver: () => Promise<boolean>;
  /** Keeps what the turn has in memory within bounds. */
  readonly trim: () => Promise<void>;
}
