import type { AcquiredLease } from '../writes/practice-lease.ts';
import type { BatchRecords } from './batch-records.ts';
import type { WorkerPorts } from './worker-ports.ts';

/** Maximum number of completed ingestions not projected yet, since every poll of the queue excludes them. */
const MAX_NOT_YET_PROJECTED = 1_000;

/** Ingestions of one practice, processed under its lease. */
export interface PracticeBatch {
  readonly ports: WorkerPorts;
  readonly lease: AcquiredLease;
  readonly records: BatchRecords;
  /** True once the read tables show everything that former lease holders may have written. */
  isSettled: boolean;
  /** True if another process should have the lease now. */
  readonly isOver: () => Promise<boolean>;
}

/** Once our own latest append is projected, so is everything that was written before it. */
export const settle = async (practiceBatch: PracticeBatch): Promise<void> => {
  if (practiceBatch.isSettled) return;
  await practiceBatch.lease.reach();
  practiceBatch.isSettled = true;
  practiceBatch.ports.afterStep('projection-reached');
};

/**
 * Excludes a completed ingestion from the queue; its row is deleted once the read tables show its end.
 * @param position of its last event in the log; by default, the last position written under the lease
 */
export const noteDone = (
  { ports, lease }: PracticeBatch,
  ingestionId: string,
  position = lease.highest(),
): void => ports.completedIngestions.note(ingestionId, position);

/** Limits the memory of a batch. */
export const trimMemory = async ({ ports, lease, records }: PracticeBatch): Promise<void> => {
  const isLarge = records.isLarge();
  const { length } = ports.completedIngestions.listUnprojected();
  if (!isLarge && length <= MAX_NOT_YET_PROJECTED) return;
  // Once projected, completed ingestions are not picked again, and records can be reloaded.
  await lease.reach();
  if (isLarge) records.forget();
};
