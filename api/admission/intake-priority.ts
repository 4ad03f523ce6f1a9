import { setTimeout as sleep } from 'node:timers/promises';

/** Requests go before ingestion, which runs on the same machine. */
export interface IntakePriority {
  /** @returns called when the request ends */
  trackRequest(): () => void;
  /** Pauses briefly during concurrent requests, which also makes the next batch larger. */
  yieldToIntake(): Promise<void>;
}

/** A client that sends one request at a time never makes ingestion wait. */
const BUSY_REQUESTS = 3n;
/** Clients answered together send their next requests together. */
const QUIET_AFTER_NS = 50_000_000n;
/**
 * Batches become larger, and no accepted submission waits while the CPU is idle.
 * @see docs/design/write-path.md
 */
const LINGER_MS = 40;

export const createIntakeMemory = (): SharedArrayBuffer =>
  new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT);

const INSIDE = 0;
const CROWDED_AT = 1;

/** @param memory shared with the other thread; private by default @see IntakePriority */
export const createIntakePriority = (memory = createIntakeMemory()): IntakePriority => {
  const seen = new BigInt64Array(memory);
  const noteCrowd = () => {
    // Threads share this clock; `performance.now()` has a different origin in each thread.
    if (Atomics.load(seen, INSIDE) >= BUSY_REQUESTS)
      Atomics.store(seen, CROWDED_AT, process.hrtime.bigint());
  };
  const isCrowded = () =>
    Atomics.load(seen, INSIDE) >= BUSY_REQUESTS ||
    process.hrtime.bigint() - Atomics.load(seen, CROWDED_AT) <= QUIET_AFTER_NS;
  return {
    trackRequest() {
      Atomics.add(seen, INSIDE, 1n);
      noteCrowd();
      return () => {
        noteCrowd();
        Atomics.sub(seen, INSIDE, 1n);
      };
    },
    async yieldToIntake() {
      if (isCrowded()) await sleep(LINGER_MS);
    },
  };
};
