import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Repeats a task until it is stopped.
 * @param task returns the pause before its next run, in milliseconds; must not reject
 * @returns stops it, and resolves when the current run has ended
 */
export const runPeriodically = (
  task: (signal: AbortSignal) => Promise<number>,
): (() => Promise<void>) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const pauseMs = await task(signal);
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
};
