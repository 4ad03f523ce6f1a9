import { setTimeout as sleep } from 'node:timers/promises';

/** Lets so many milliseconds pass, or fewer when the signal aborts: that is no fault. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);
