import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { MS_IN_SECOND } from '../harness/units.ts';
import type { LoadResult } from './load.ts';
import { quantile } from './quantile.ts';

/** Requests sent at even times, whether the ones before are answered or not. */
export interface PacedLoad {
  readonly token: string;
  readonly perSecond: number;
  readonly requests: number;
  /** What the n-th one asks; with a body it is a push. */
  readonly requestOf: (n: number) => { readonly url: string; readonly body?: string };
  /** Status that every answer must have. */
  readonly wanted: number;
  readonly onAnswer?: (n: number, headers: IncomingHttpHeaders) => void;
}

const CONNECTIONS = 64;

/**
 * Sends at even times. Times count from the moment when a request was due, so that one that had to
 * wait for a connection is not made to look fast. (autocannon's rate is a count for each second,
 * spent at its beginning: bursts at full load.)
 * @throws Error when an answer was another than the wanted one
 */
export const paced = async (load: PacedLoad): Promise<LoadResult> => {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const began = performance.now();
  const dueOf = (n: number) => began + (n * MS_IN_SECOND) / load.perSecond;
  const took = await new Promise<number[]>((resolve, reject) => {
    const times: number[] = [];
    let sent = 0;
    const timer = setInterval(() => {
      for (; sent < load.requests && dueOf(sent) <= performance.now(); sent += 1) {
        const due = dueOf(sent);
        send(agent, load, sent).then((): void => {
          times.push(performance.now() - due);
          if (times.length === load.requests) resolve(times);
        }, reject);
      }
      if (sent === load.requests) clearInterval(timer);
    }, 1);
  }).finally(() => agent.destroy());
  const seconds = (performance.now() - began) / MS_IN_SECOND;
  took.sort((a, b) => a - b);
  return {
    perSecond: took.length / seconds,
    p50: quantile(took, 0.5),
    p99: quantile(took, 0.99),
  };
};

const send = (
  agent: Agent,
  { token, requestOf, wanted, onAnswer }: PacedLoad,
  n: number,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const { url, body } = requestOf(n);
    const headers = { Authorization: `Bearer ${token}` };
    const sent =
      body === undefined
        ? request(url, { agent, headers })
        : request(url, {
            agent,
            method: 'POST',
            headers: {
              ...headers,
              'Content-Type': 'application/fhir+json',
              'Content-Length': Buffer.byteLength(body),
            },
          });
    sent.on('error', reject);
    sent.on('response', (response) => {
      response.resume();
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === wanted) {
          onAnswer?.(n, response.headers);
          resolve();
        } else reject(new Error(`${url} was answered with ${response.statusCode}.`));
      });
    });
    sent.end(body);
  });
