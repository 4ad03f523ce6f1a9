import { setTimeout as sleep } from 'node:timers/promises';

/** Who takes submissions and who works them off share a process: the door goes first. */
export interface DoorFirst {
  /** A submission is being taken. @returns to be called when it was, or was not */
  enter(): () => void;
  /** Waits while the door is as busy as it gets, but not for long: what is taken gets done, too. */
  giveWay(): Promise<void>;
}

/** So many at once are more than a process takes without a queue before its door. */
const CROWD = 12;
/** Those that were answered together come back together: until then it is not quiet. */
const QUIET_AFTER_MS = 15;
const LOOK_EVERY_MS = 5;
/** A batch is begun after this long in any case: 100 courses in 300 ms at least. */
const LONGEST_MS = 300;

/** @see DoorFirst */
export const newDoorFirst = (): DoorFirst => {
  let inside = 0;
  let crowdedAt = Number.NEGATIVE_INFINITY;
  const isQuiet = () => inside < CROWD && performance.now() - crowdedAt > QUIET_AFTER_MS;
  return {
    enter() {
      inside += 1;
      if (inside >= CROWD) crowdedAt = performance.now();
      return () => {
        if (inside >= CROWD) crowdedAt = performance.now();
        inside -= 1;
      };
    },
    async giveWay() {
      const until = performance.now() + LONGEST_MS;
      while (!isQuiet() && performance.now() < until) await sleep(LOOK_EVERY_MS);
    },
  };
};
