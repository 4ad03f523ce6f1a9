import { setTimeout as sleep } from 'node:timers/promises';

/** Who takes submissions and who works them off share a machine: the door goes first. */
export interface DoorFirst {
  /** A submission is being taken. @returns to be called when it was, or was not */
  enter(): () => void;
  /** Lets a moment pass while the door is as busy as it gets: the batch after it is a fuller one. */
  giveWay(): Promise<void>;
}

/** So many at once are more than a process takes without a queue before its door. */
const CROWD = 12n;
/** Those that were answered together come back together: until then it is not quiet. */
const QUIET_AFTER_NS = 15_000_000n;
/**
 * With rests of up to 300 ms, until the crowd was gone, the door took 1.4 times as many in a second. But
 * what it had taken waited while 0.3 to 0.4 of two processors idled: 3,000 small submissions were
 * completed at 0.87 of the pace (nine pairs of runs by turns). Without a rest batches are small ones.
 */
const MOMENT_MS = 25;

/** Memory in which the threads of a process see the same door. */
export const newDoorMemory = (): SharedArrayBuffer =>
  new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT);

const INSIDE = 0;
const CROWDED_AT = 1;

/**
 * @param memory where the other thread sees who is inside; of its own unless told otherwise
 * @see DoorFirst
 */
export const newDoorFirst = (memory = newDoorMemory()): DoorFirst => {
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
    enter() {
      Atomics.add(seen, INSIDE, 1n);
      noteCrowd();
      return () => {
        noteCrowd();
        Atomics.sub(seen, INSIDE, 1n);
      };
    },
    async giveWay() {
      if (isCrowded()) await sleep(MOMENT_MS);
    },
  };
};
