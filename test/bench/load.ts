import autocannon from 'autocannon';
import type { BodyOf } from '../harness/push-bodies.ts';
import { ACCEPTED, MS_IN_SECOND } from '../harness/units.ts';
import { quantile } from './quantile.ts';

/** What a load came to. */
export interface LoadResult {
  /** Answers of the wanted kind in a second. */
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Bodies sent one after the other over so many connections that each wait for their answer. */
export interface Load {
  readonly url: string;
  readonly token: string;
  readonly bodyOf: BodyOf;
  /** The Idempotency-Key of the n-th body; none is sent without. */
  readonly keyOf?: (n: number) => string;
  /** Number of the first body. */
  readonly from: number;
  readonly requests: number;
  readonly connections: number;
  /** Requests in a second; as many as go without. */
  readonly rate?: number;
}

/**
 * Sends the bodies and ends with the last answer: `autocannon` looks only once in a second whether
 * it is done, and would round short runs to whole seconds.
 * @throws Error when an answer was another than 202
 */
export const sendAll = (load: Load): Promise<LoadResult> =>
  new Promise((resolve, reject) => {
    let next = load.from;
    let began = performance.now();
    const took: number[] = [];
    const instance = autocannon(
      {
        url: load.url,
        connections: load.connections,
        amount: load.requests,
        ...(load.rate === undefined ? {} : { overallRate: load.rate }),
        timeout: 60,
        requests: [
          {
            method: 'POST',
            headers: {
              Authorization: `Bearer ${load.token}`,
              'Content-Type': 'application/fhir+json',
            },
            setupRequest: (request) => {
              const body = load.bodyOf(next);
              const headers =
                load.keyOf === undefined
                  ? request.headers
                  : { ...request.headers, 'Idempotency-Key': load.keyOf(next) };
              next += 1;
              return { ...request, body, headers };
            },
          },
        ],
      },
      // It ends by itself only when something went wrong: else the last answer comes before.
      () => reject(new Error(`Of ${load.requests} requests ${took.length} were answered.`)),
    );
    const fail = (what: string) => {
      instance.stop();
      reject(new Error(`A request was answered with ${what} instead of ${ACCEPTED}.`));
    };
    instance.on('start', () => {
      began = performance.now();
    });
    instance.on('reqError', () => fail('nothing'));
    instance.on('response', (_client, statusCode, _bytes, responseTime) => {
      if (statusCode !== ACCEPTED) fail(String(statusCode));
      took.push(responseTime);
      if (took.length !== load.requests) return;
      const seconds = (performance.now() - began) / MS_IN_SECOND;
      instance.stop();
      took.sort((a, b) => a - b);
      resolve({
        perSecond: took.length / seconds,
        p50: quantile(took, 0.5),
        p99: quantile(took, 0.99),
      });
    });
  });
