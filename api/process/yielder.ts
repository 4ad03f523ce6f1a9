import { setImmediate } from 'node:timers/promises';

/**
 * A push waits for many iterations of the event loop, each possibly for one slice of other work.
 */
export const SLICE_MS = 0.5;

export const createYielder = (): (() => Promise<void>) => {
  const slices = createSlices();
  return async () => {
    if (slices.isOver(SLICE_MS)) await slices.next();
  };
};

export const createSlices = () => {
  let began = performance.now();
  return {
    isOver: (sliceMs: number): boolean => performance.now() - began >= sliceMs,
    async next(): Promise<void> {
      await setImmediate();
      began = performance.now();
    },
  };
};
