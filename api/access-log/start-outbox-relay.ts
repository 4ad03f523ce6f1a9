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
export const startOutboxRelay = (carrier: OutboxRelay): (() => Promise<void>) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async (): Promise<void> => {
    let hasTakenBack = false;
    while (!signal.aborted) {
      let restMs = LOOKS_EVERY_MS;
      try {
        if (!hasTakenBack) await carrier.takeBack();
        hasTakenBack = true;
        if (await carrier.isAnyWaiting()) await carrier.alone(() => carrier.carry(signal));
      } catch (error) {
        carrier.onFault(error);
        restMs = AFTER_FAULT_MS;
      }
      await sleep(restMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
};
