import { setImmediate } from 'node:timers/promises';

const SLICE_MS = 5;

/**
 * Work in slices: lets others run when the slice under way has lasted long enough. Milliseconds
 * that a slice lasts: 5, and what one step of the work takes.
 */
export const newTimeSlices = (): (() => Promise<void>) => {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < SLICE_MS) return;
    await setImmediate();
    began = performance.now();
  };
};
