import { runPeriodically } from '../process/run-periodically.ts';
import type { RelayBatch } from './relay-batch.ts';

/** What the carrier of the notes works with. */
export interface OutboxRelay {
  readonly carry: RelayBatch;
  /** Whether any note waits; asked again and again. */
  readonly isAnyWaiting: () => Promise<boolean>;
  /** Puts notes that were set aside among the others: this build may be one that the log takes them from. */
  readonly requeueDeadLetters: () => Promise<void>;
  /** Does something unless another process is at it. */
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
