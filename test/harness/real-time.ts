import { setTimeout as sleep } from 'node:timers/promises';
import { MS_IN_SECOND } from './units.ts';

/** Lets time pass where that is the subject: a window that ends, a slow client, a peer that keeps still. */
export const passTime = (ms: number): Promise<void> => sleep(ms);

/** Milliseconds that work took, for a lower bound: an upper one fails on a slow machine. */
export const measureMs = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

/** Occupies the thread, as long work without a pause does. */
export const keepBusy = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

/** Whether an instant is the present one, as well as a slow machine can say. */
export const isAboutNow = (instant: number, toleranceMs = 60 * MS_IN_SECOND): boolean =>
  Math.abs(instant - Date.now()) < toleranceMs;
