import { setTimeout as sleep } from 'node:timers/promises';

/** Sleeps. Resolves early, without an error, if the signal aborts. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);
