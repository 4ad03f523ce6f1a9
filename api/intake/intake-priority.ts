import { setTimeout as sleep } from 'node:timers/promises';

/** Who takes submissions and who works them off share a machine: the door goes first. */
export interface IntakePriority {
  /** A submission is being taken. @returns to be called when it was, or was not */
  trackRequest(): () => void;
  /** Lets a moment pass while several are taken at once: the batch after it is a fuller one. */
  yieldToIntake(): Promise<void>;
}

/** So many at once: more come while a batch is made of them. One who sends alone waits for nothing. */
const CROWD = 3n;
/** Those that were answered together come back together: until then the door is not quiet. */
const QUIET_AFTER_NS = 50_000_000n;
/**
 * Batches of what came in 40 ms take less of a processor for each submission than small ones, one
 * after the other, and what was taken does not wait while processors idle, as it did with rests of up
 * to 300 ms. Figures: docs/decisions/2026-11-20-fast-paths.md.
 */
const MOMENT_MS = 40;

/** Memory in which the threads of a process see the same door. */
export const createIntakeMemory = (): SharedArrayBuffer =>
  new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT);

const INSIDE = 0;
const CROWDED_AT = 1;

/**
 * @param memory where the other thread sees who is inside; of its own unless told otherwise
 * @see IntakePriority
 */
export const createIntakePriority = (memory = createIntakeMemory()): IntakePriority => {
  const seen = new BigInt64Array(memory);
  const noteCrowd = () => {
    // Threads share this clock; `performance.now()` begins anew in each of them.
    if (Atomics.load(seen, INSIDE) >= CROWD)
      Atomics.store(seen, CROWDED_AT, process.hrtime.bigint());
  };
  const isCrowded = () =>
    Atomics.load(seen, INSIDE) >= CROWD ||
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
      if (isCrowded()) await sleep(MOMENT_MS);
    },
  };
};
