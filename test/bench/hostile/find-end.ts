import { setTimeout as sleep } from 'node:timers/promises';
import type { SentAnswer } from './hostile-target.ts';

const ASK_EVERY_MS = 100;

/** Waits until what was taken has ended. @returns how; `null` if it has not within that time */
export const findEnd = async (
  { address, token }: NonNullable<SentAnswer['receipt']>,
  until: number,
): Promise<'completed' | 'failed' | null> => {
  const headers = { Authorization: `Bearer ${token}` };
  while (performance.now() < until) {
    const signal = AbortSignal.timeout(Math.max(1, Math.round(until - performance.now())));
    // The process may have ended, and be back later.
    const answer = await fetch(address, { headers, signal }).catch(() => null);
    const { status } = ((await answer?.json().catch(() => null)) ?? {}) as { status?: string };
    if (status === 'completed' || status === 'failed') return status;
    await sleep(ASK_EVERY_MS);
  }
  return null;
};
