import { setTimeout as sleep } from 'node:timers/promises';

/** An answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** What clients must expect while a service is disturbed: no answer at all, 503, or neither. */
export type AllowedFailures = 'no-response' | '503' | 'none';

/** @see newRetryingClient */
export type RetryingClient = ReturnType<typeof newRetryingClient>;

const UNAVAILABLE = 503;
const FIRST_SERVER_FAULT = 500;
const PAUSE_MS = 50;
const ANSWER_WITHIN_MS = 30_000;
/** Longer than any disturbance keeps a service away. */
const GIVE_UP_MS = 120_000;

/**
 * A client that sends again until it has an answer other than 503, to any process that is ready.
 * @param origin of the process that gets the next request
 * @param onFault takes what no client should meet
 */
export const newRetryingClient = (
  origin: () => string,
  allowedFailures: AllowedFailures,
  onFault: (fault: string) => void,
) => {
  const counts = { answers: 0, unreached: 0, unanswered: 0, 'answered 503': 0 };

  /** Sends once. @returns null when no answer came, or 503 */
  const sendOnce = async (path: string, init: RequestInit): Promise<Answer | null> => {
    const sentAt = performance.now();
    try {
      const answer = await ask(`${origin()}${path}`, init);
      if (answer.status !== UNAVAILABLE) {
        counts.answers += 1;
        if (answer.status >= FIRST_SERVER_FAULT)
          onFault(`${path} was answered with ${answer.status}.`);
        return answer;
      }
      counts['answered 503'] += 1;
      if (allowedFailures === 'none') onFault(`${path} was answered with 503.`);
      if (answer.headers.get('retry-after') === null)
        onFault(`${path} was answered with 503 without Retry-After.`);
    } catch (error) {
      const code = codeOf(error);
      // Nothing was sent: a load balancer gives this one to another process.
      if (code === 'ECONNREFUSED') counts.unreached += 1;
      else {
        // The service was killed, or its connection: what came of the request is not known.
        counts.unanswered += 1;
        const afterMs = Math.round(performance.now() - sentAt);
        if (allowedFailures !== 'no-response')
          onFault(`${path} had no answer, ${code} after ${afterMs} ms.`);
      }
    }
    return null;
  };

  return {
    sendOnce,
    async send(path: string, init: RequestInit): Promise<Answer> {
      const giveUp = performance.now() + GIVE_UP_MS;
      while (performance.now() < giveUp) {
        const answer = await sendOnce(path, init);
        if (answer !== null && answer.status < FIRST_SERVER_FAULT) return answer;
        await sleep(PAUSE_MS);
      }
      throw new Error(`${path} was not answered for ${GIVE_UP_MS / 1_000} s.`);
    },
    /** Sends, and breaks the connection after a time: what came of it is not known. */
    async cut(path: string, init: RequestInit, afterMs: number): Promise<void> {
      await ask(`${origin()}${path}`, init, AbortSignal.timeout(afterMs)).catch(() => undefined);
    },
    /** How often 503 came. */
    refusals: () => counts['answered 503'],
    counts: () => counts,
  };
};

/** @throws Error when no answer comes, or not all of it */
const ask = async (
  url: string,
  init: RequestInit,
  signal = AbortSignal.timeout(ANSWER_WITHIN_MS),
): Promise<Answer> => {
  const response = await fetch(url, { ...init, redirect: 'manual', signal });
  const { status, headers } = response;
  return { status, headers, text: await response.text() };
};

/** Why a request had no answer. */
const codeOf = (error: unknown): string => {
  const { name, cause } = error as Error;
  return (cause as NodeJS.ErrnoException | undefined)?.code ?? name;
};
