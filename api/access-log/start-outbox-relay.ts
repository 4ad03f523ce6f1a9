import { runPeriodically } from '../process/run-periodically.ts';
import type { RelayBatch } from './relay-batch.ts';

export interface OutboxRelay {
  readonly carry: RelayBatch;
  /** True if any entry waits; polled. */
  readonly isAnyWaiting: () => Promise<boolean>;
  /** Requeues dead letters, because the log may accept them from this build. */
  readonly requeueDeadLetters: () => Promise<void>;
  /** Runs the work unless another process does. */
  readonly alone: (work: () => Promise<void>) => Promise<void>;
  readonly onFault: (error: unknown) => void;
}

const POLL_INTERVAL_MS = 250;
const PAUSE_AFTER_FAULT_MS = 2_000;

/** Relays outbox entries to the log as they arrive. @returns stops it */
export const startOutboxRelay = (outboxRelay: OutboxRelay): (() => Promise<void>) => {
  let hasRequeued = false;
  return runPeriodically(async (signal) => {
    try {
      if (!hasRequeued) await outboxRelay.requeueDeadLetters();
      hasRequeued = true;
      if (await outboxRelay.isAnyWaiting())
        await outboxRelay.alone(() => outboxRelay.carry(signal));
      return POLL_INTERVAL_MS;
    } catch (error) {
      outboxRelay.onFault(error);
      return PAUSE_AFTER_FAULT_MS;
    }
  });
};
