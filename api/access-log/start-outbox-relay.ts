import { setTimeout as sleep } from 'node:timers/promises';
import type { RelayBatch } from './relay-batch.ts';

export interface OutboxRelay {
  readonly carry: RelayBatch;
  /** True if any entry waits; polled. */
  readonly isAnyWaiting: () => Promise<boolean>;
  /** Requeues dead letters, because the log may accept them from this build. */
  readonly takeBack: () => Promise<void>;
  /** Runs the work unless another process does. */
  readonly alone: (work: () => Promise<void>) => Promise<void>;
  readonly onFault: (error: unknown) => void;
}

const LOOKS_EVERY_MS = 250;
const AFTER_FAULT_MS = 2_000;

/** Relays entries to the log continuously. @returns function that stops it */
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
