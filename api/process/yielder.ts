import { setImmediate } from 'node:timers/promises';

/**
 * A push waits for many iterations of the event loop, and each may wait for one slice of other
 * work.
 */
export const SLICE_MS = 0.5;

/** Runs work in slices: yields to other work when the current slice has lasted long enough. */
export const createYielder = (): (() => Promise<void>) => {
  const slices = createSlices();
  return async () => {
    if (slices.isOver(SLICE_MS)) await slices.next();
  };
};

/** Slices of work that yields by itself. */
export const createSlices = () => {
  let began = performance.now();
  return {
    isOver: (sliceMs: number): boolean => performance.now() - began >= sliceMs,
    /** Yields to other work, and begins the next slice. */
    async next(): Promise<void> {
      await setImmediate();
      began = performance.now();
    },
  };
};
