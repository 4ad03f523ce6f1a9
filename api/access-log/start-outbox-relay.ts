import { pause, runPeriodically } from '../process/run-periodically.ts';
import type { RelayBatch } from './relay-batch.ts';

export interface OutboxRelay {
  readonly carry: RelayBatch;
  readonly isAnyWaiting: () => Promise<boolean>;
  /** The log may accept dead letters from this build. */
  readonly requeueDeadLetters: () => Promise<void>;
  /** @returns false if another process runs it */
  readonly alone: (work: () => Promise<void>) => Promise<boolean>;
  readonly onWake: (wake: () => void) => void;
  readonly pollMs: () => number;
  readonly onFault: (error: unknown) => void;
}

const MIN_INTERVAL_MS = 250;
const PAUSE_AFTER_FAULT_MS = 2_000;

/** @returns stops it */
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
