import { setTimeout as sleep } from 'node:timers/promises';
import type { RelayBatch } from './relay-batch.ts';

/** What the carrier of the notes works with. */
export interface OutboxRelay {
  readonly carry: RelayBatch;
  /** Whether any note waits; asked again and again. */
  readonly isAnyWaiting: () => Promise<boolean>;
  /** Puts notes that were set aside among the others: this build may be one that the log takes them from. */
  readonly takeBack: () => Promise<void>;
  /** Does something unless another process is at it. */
  readonly alone: (work: () => Promise<void>) => Promise<void>;
  readonly onFault: (error: unknown) => void;
}

const LOOKS_EVERY_MS = 250;
const AFTER_FAULT_MS = 2_000;

/** Carries notes to the log as they come. @returns how to stop it */
export const startOutboxRelay = (outboxRelay: OutboxRelay): (() => Promise<void>) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async (): Promise<void> => {
    let hasRequeued = false;
    while (!signal.aborted) {
      let pauseMs = LOOKS_EVERY_MS;
      try {
        if (!hasRequeued) await outboxRelay.takeBack();
        hasRequeued = true;
        if (await outboxRelay.isAnyWaiting())
          await outboxRelay.alone(() => outboxRelay.carry(signal));
      } catch (error) {
        outboxRelay.onFault(error);
        pauseMs = AFTER_FAULT_MS;
      }
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
};
