import { setImmediate } from 'node:timers/promises';

/**
 * A push waits for many iterations of the event loop, and each may wait for one slice of other
 * work.
 */
const SLICE_MS = 0.5;

/** Runs work in slices: yields to other work when the current slice has lasted long enough. */
export const createYielder = (): (() => Promise<void>) => {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < SLICE_MS) return;
    await setImmediate();
    began = performance.now();
  };
};
