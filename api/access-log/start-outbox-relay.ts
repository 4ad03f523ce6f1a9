import { pause, runPeriodically } from '../process/run-periodically.ts';
import type { RelayBatch } from './relay-batch.ts';

export interface OutboxRelay {
  readonly carry: RelayBatch;
  readonly isAnyWaiting: () => Promise<boolean>;
  /** Requeues dead letters, because the log may accept them from this build. */
  readonly requeueDeadLetters: () => Promise<void>;
  /** Runs the work unless another process does. @returns false if it does */
  readonly alone: (work: () => Promise<void>) => Promise<boolean>;
  /** Gets a function to call after entries were added. */
  readonly onWake: (wake: () => void) => void;
  /** Time after which to look for entries without having been woken. */
  readonly pollMs: () => number;
  readonly onFault: (error: unknown) => void;
}

/** Limits batches when entries are frequent, so that more of them share an append. */
const MIN_INTERVAL_MS = 250;
const PAUSE_AFTER_FAULT_MS = 2_000;

/** Relays outbox entries to the log as they arrive. @returns stops it */
export const startOutboxRelay = (outboxRelay: OutboxRelay): (() => Promise<void>) => {
  let hasRequeued = false;
  return runPeriodically(async (signal) => {
    try {
      if (!hasRequeued) await outboxRelay.requeueDeadLetters();
      hasRequeued = true;
      if (!(await outboxRelay.isAnyWaiting())) return outboxRelay.pollMs();
      const isAlone = await outboxRelay.alone(() => outboxRelay.carry(signal));
      await pause(MIN_INTERVAL_MS, signal);
      // The other process may have read the outbox before the last entry.
      return isAlone ? outboxRelay.pollMs() : 0;
    } catch (error) {
      outboxRelay.onFault(error);
      await pause(PAUSE_AFTER_FAULT_MS, signal);
      return 0;
    }
  }, outboxRelay.onWake);
};
