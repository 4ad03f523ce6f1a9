import { setTimeout as sleep } from 'node:timers/promises';

/** Sends until there is an answer that is no excuse; what else was seen is told as a fault. */
export interface Insistent {
  /** Sends again and again while nobody answers or 503 comes. */
  send(url: string, init: RequestInit): Promise<Answer>;
  /** Sends once. @returns null when no answer came, or 503 */
  sendOnce(url: string, init: RequestInit): Promise<Answer | null>;
  /** How often 503 came. */
  readonly refusals: () => number;
  readonly counts: () => Readonly<Record<string, number>>;
}

/** An answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const UNAVAILABLE = 503;
const FIRST_SERVER_FAULT = 500;
const PAUSE_MS = 50;
const ANSWER_WITHIN_MS = 30_000;
/** Longer than any of the kills keeps a service away. */
const GIVE_UP_MS = 120_000;

/** @param onFault told of answers that no client should get */
export const newInsistent = (onFault: (fault: string) => void): Insistent => {
  let answers = 0;
  let unanswered = 0;
  let refused = 0;

  const sendOnce = async (url: string, init: RequestInit): Promise<Answer | null> => {
    const answer = await fetch(url, {
      ...{ ...init, redirect: 'manual' },
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
      .then(async (response): Promise<Answer> => {
        const { status, headers } = response;
        return { status, headers, text: await response.text() };
      })
      // The service was killed, or its connection: what came of the request is not known.
      .catch(() => null);
    if (answer === null) unanswered += 1;
    else if (answer.status === UNAVAILABLE) {
      refused += 1;
      if (answer.headers.get('retry-after') === null)
        onFault(`${new URL(url).pathname} was answered with 503 without Retry-After.`);
      return null;
    } else {
      answers += 1;
      if (answer.status >= FIRST_SERVER_FAULT)
        onFault(`${new URL(url).pathname} was answered with ${answer.status}.`);
    }
    return answer;
  };

  return {
    sendOnce,
    async send(url, init) {
      const giveUp = performance.now() + GIVE_UP_MS;
      while (performance.now() < giveUp) {
        const answer = await sendOnce(url, init);
        if (answer !== null && answer.status < FIRST_SERVER_FAULT) return answer;
        await sleep(PAUSE_MS);
      }
      throw new Error(`${new URL(url).pathname} was not answered for ${GIVE_UP_MS / 1_000} s.`);
    },
    refusals: () => refused,
    counts: () => ({ answers, unanswered, 'answered 503': refused }),
  };
};
