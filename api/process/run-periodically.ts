import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves early, without an error, if the signal aborts. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

/**
 * @param task returns the pause before its next run, in milliseconds; must not reject
 * @param onWake gets a function that ends the current pause, or skips the next one during a run
 * @returns stops it, and resolves when the current run has ended
 */
export const runPeriodically = (
  task: (signal: AbortSignal) => Promise<number>,
  onWake: (wake: () => void) => void = () => undefined,
): (() => Promise<void>) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  let resting = new AbortController();
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      // Before the task, which may not see what appears during its run.
      resting = new AbortController();
      const pauseMs = await task(signal);
      await pause(pauseMs, resting.signal);
    }
  };
  onWake(() => resting.abort());
  const running = run();
  return async () => {
    stopping.abort();
    resting.abort();
    await running;
  };
};
