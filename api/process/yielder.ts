import { setImmediate } from 'node:timers/promises';

/**
 * A push takes about fifty turns of the event loop until its receipt, and each turn may wait for one
 * slice of other work.
 */
const SLICE_MS = 0.5;

/**
 * Work in slices: lets others run when the slice under way has lasted long enough, half a
 * millisecond and what one step of the work takes.
 */
export const createYielder = (): (() => Promise<void>) => {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < SLICE_MS) return;
    await setImmediate();
    began = performance.now();
  };
};
