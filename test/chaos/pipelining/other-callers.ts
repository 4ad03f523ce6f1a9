import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCookie } from '../../../scripts/demo/http-session.ts';
import { quantile } from '../../bench/quantile.ts';
import { intakeOf, type SingleService } from '../../harness/measured-service.ts';
import { smallBodies } from '../../harness/push-bodies.ts';
import { ACCEPTED } from '../../harness/units.ts';
import type { Findings } from '../hostile-input/findings.ts';

/** How the waits of others are compared. */
export interface Comparison {
  /** Which quantile, and how many times as long it may be. */
  readonly compared: number;
  readonly mostSlower: number;
}

const P50 = 0.5;
const P99 = 0.99;

/** After callers were asked for long enough that the slowest of a hundred says something. */
export const BY_TAIL: Comparison = { compared: P99, mostSlower: 1.5 };
/** A few seconds beside other tests have no p99 that tells anything. */
export const BY_MEDIAN: Comparison = { compared: P50, mostSlower: 3 };

/** Below this a busy machine makes a tail of its own. Milliseconds. */
const TELLING_MS = 25;

/** Counts how long others waited, in milliseconds and ascending, and finds fault if an attack made it long. */
export const compareWaits = (
  what: string,
  { compared, mostSlower }: Comparison,
  without: readonly number[],
  beside: readonly number[],
  findings: Findings,
): void => {
  for (const [name, took] of Object.entries({ without, with: beside })) {
    findings.count(`${what}: ms p50 of others ${name}`, tenths(quantile(took, P50)));
    findings.count(`${what}: ms p99 of others ${name}`, tenths(quantile(took, P99)));
  }
  const was = quantile(without, compared);
  const became = quantile(beside, compared);
  if (became > Math.max(was * mostSlower, TELLING_MS))
    findings.fault('others wait', `${what}, ${tenths(became)} ms instead of ${tenths(was)} ms`);
};

const tenths = (ms: number): number => Math.round(ms * 10) / 10;

/** @see othersBeside */
export type OtherCallers = Awaited<ReturnType<typeof otherCallersOf>>;

const ASK_EVERY_MS = 4;
const MIN_FAILURE_STATUS = 400;

/**
 * Callers apart from an attack: an integrator that polls, and a person at the sign-in page.
 * @param receipt address of a receipt
 * @param token of a key that may read it
 */
const otherCallersOf = async (url: string, receipt: string, token: string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const form = await fetch(`${url}/sign-in`);
  await form.arrayBuffer();
  const questions = [
    { address: receipt, headers: { Authorization: `Bearer ${token}` } },
    { address: `${url}/sign-in`, headers: { Cookie: readCookie(form.headers) } },
  ];

  const ask = (question: (typeof questions)[number], began = performance.now()): Promise<number> =>
    new Promise((resolve, reject) => {
      const { address, headers } = question;
      const asked = request(address, { agent, headers }, (response) => {
        response.on('data', () => undefined);
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode = 0 } = response;
          if (statusCode < MIN_FAILURE_STATUS) resolve(performance.now() - began);
          else reject(new Error(`Another caller was answered with ${statusCode}.`));
        });
      });
      asked.on('error', (error) => {
        // The service has just ended a connection that was idle, as every server may.
        if (asked.reusedSocket) ask(question, began).then(resolve, reject);
        else reject(error);
      });
      asked.end();
    });

  return {
    /** Asks again and again, one question after the other. @returns milliseconds of each, ascending */
    async askFor(durationMs: number): Promise<readonly number[]> {
      const until = performance.now() + durationMs;
      const took: number[] = [];
      while (performance.now() < until) {
        for (const question of questions) took.push(await ask(question));
        await sleep(ASK_EVERY_MS);
      }
      return took.sort((a, b) => a - b);
    },
    close: (): void => agent.destroy(),
  };
};

/** Callers of a new service, with a receipt of a push of its practice. */
export const othersBeside = async (single: SingleService): Promise<OtherCallers> => {
  const { url, token } = intakeOf(single);
  const taken = await fetch(url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/fhir+json' },
    body: smallBodies('P-')(0),
  });
  if (taken.status !== ACCEPTED) throw new Error(`A push was answered with ${taken.status}.`);
  await single.tables.allDone();
  const receipt = taken.headers.get('content-location') ?? '';
  return otherCallersOf(single.service.url, receipt, token);
};
