import autocannon from 'autocannon';
import type { BodyOf } from './bodies.ts';

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
  /** Number of the first body. */
  readonly from: number;
  readonly requests: number;
  readonly connections: number;
  /** Requests in a second; as many as go without. */
  readonly rate?: number;
}

const ACCEPTED = 202;

/** @throws Error when an answer was another than 202 */
export const push = async (load: Load): Promise<LoadResult> => {
  let next = load.from;
  const result = await autocannon({
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
          next += 1;
          return { ...request, body };
        },
      },
    ],
  });
  return resultOf(result, load.requests);
};

const MS_IN_SECOND = 1_000;

/** What was measured, if as many were taken as were to be sent: with a rate, a few more are sent. */
const resultOf = (result: autocannon.Result, requests: number): LoadResult => {
  const counts = result.statusCodeStats as Record<string, { count?: number } | undefined>;
  const answered = counts[String(ACCEPTED)]?.count ?? 0;
  if (answered < requests || result.errors > 0 || result.timeouts > 0)
    throw new Error(
      `Of ${requests} requests ${answered} were answered with ${ACCEPTED}: ${JSON.stringify(counts)}, ${result.errors} errors.`,
    );
  const seconds = (result.finish.getTime() - result.start.getTime()) / MS_IN_SECOND;
  return { perSecond: answered / seconds, p50: result.latency.p50, p99: result.latency.p99 };
};
