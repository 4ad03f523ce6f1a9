import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_PAUSE_MS = 20;
/** What takes seconds is not asked about fifty times in each: most questions are requests to a service. */
const MAX_PAUSE_MS = 250;

/** Sleeps a little longer each time. */
const createPauses = (): (() => Promise<void>) => {
  let pauseMs = FIRST_PAUSE_MS;
  return async () => {
    await sleep(pauseMs);
    pauseMs = Math.min(pauseMs * 1.2, MAX_PAUSE_MS);
  };
};

/** Polls until the claim holds, or fails with the words of the claim. */
export const eventually = async (
  claim: string,
  holds: () => boolean | Promise<boolean>,
  withinMs = 60_000,
): Promise<void> => {
  const deadline = Date.now() + withinMs;
  const pause = createPauses();
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${claim}`);
    await pause();
  }
};

/** Awaits an event, or fails with the words of the claim: what never comes must not hang the file. */
export const within = async <T>(
  claim: string,
  event: Promise<T>,
  withinMs = 60_000,
): Promise<T> => {
  const timer = new AbortController();
  const late = sleep(withinMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`not within ${withinMs} ms: ${claim}`);
  });
  return Promise.race([event, late]).finally(() => timer.abort());
};

/** Repeats an attempt that may fail while something is away, such as a node that starts again. */
export const keepTrying = async <T>(attempt: () => Promise<T>, withinMs = 120_000): Promise<T> => {
  const deadline = Date.now() + withinMs;
  const pause = createPauses();
  for (;;) {
    try {
      return await attempt();
    } catch (thrown) {
      if (Date.now() > deadline) throw thrown;
      await pause();
    }
  }
};
