import { setTimeout as sleep } from 'node:timers/promises';

/** Polls until the claim holds, or fails with the words of the claim. */
export const eventually = async (
  claim: string,
  holds: () => boolean | Promise<boolean>,
  withinMs = 60_000,
): Promise<void> => {
  const deadline = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${claim}`);
    await sleep(20);
  }
};
