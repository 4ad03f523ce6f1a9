import { setTimeout as sleep } from 'node:timers/promises';
import type { Load } from './load.ts';

/** Polls at once; each rests half as long after an answer: together up to a thousand a second. */
const POLLERS = 8;
const MAX_REST_MS = 16;
const EMPTY_MS = 100;

/**
 * Asks for receipts that were promised, whether the service is there or not. A 202 is never followed by a
 * 404.
 */
export const polling: Load = async ({ token, receipts, random, count, onFault, isOver, pause }) => {
  const headers = { Authorization: `Bearer ${token}` };
  const poll = async (): Promise<void> => {
    const receipt = receipts[random.whole(0, receipts.length - 1)];
    if (receipt === undefined) return sleep(EMPTY_MS);
    try {
      const response = await fetch(receipt, { headers });
      await response.arrayBuffer();
      if (response.status === 404) onFault('A receipt that was promised is answered with 404.');
      count('polls');
    } catch {
      count('polls without an answer');
    }
  };
  const poller = async (): Promise<void> => {
    while (!isOver()) {
      await poll();
      await pause(MAX_REST_MS);
    }
  };
  await Promise.all(Array.from({ length: POLLERS }, poller));
};
