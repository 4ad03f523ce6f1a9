import { Agent, request } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { rssOf } from '../harness/process-usage.ts';
import { smallBodies } from '../harness/push-bodies.ts';
import { ACCEPTED } from '../harness/units.ts';

// A client in a process of its own, so that what it sees is the service's doing and not that of the
// process that makes the load. Its parent sends it a task, and `stop` at the end of a watch.

/** What a second client does. */
export type ClientTask =
  | { readonly kind: 'watch'; readonly url: string; readonly pid: number }
  | {
      readonly kind: 'push';
      readonly url: string;
      readonly token: string;
      /** Begins the chart numbers. */
      readonly prefix: string;
      readonly pushes: number;
    };

/** What it saw of the service. */
export interface Watched {
  /** Bytes, the highest of many looks. */
  readonly peakRss: number;
  /** The longest wait for an answer of `/health/live`, milliseconds. */
  readonly longestMs: number;
  /** The longest stall of the watching process itself, milliseconds: what the machine adds. */
  readonly ownLongestMs: number;
}

const ASK_EVERY_MS = 2;
const RSS_EVERY_MS = 5;
const NS_IN_MS = 1e6;

/** One connection that is kept, as a client of its own has. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

interface Answer {
  readonly status: number;
  readonly location: string;
  readonly text: string;
}

const ask = (url: string, token: string | null, body: string | null): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const asked = request(url, {
      agent,
      method: body === null ? 'GET' : 'POST',
      headers: {
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === null
          ? {}
          : {
              'Content-Type': 'application/fhir+json',
              'Content-Length': Buffer.byteLength(body),
            }),
      },
    });
    asked.on('error', reject);
    asked.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          location: response.headers['content-location'] ?? '',
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    asked.end(body ?? undefined);
  });

let isStopped = false;

/** Asks whether the process lives, one question after the other, and looks at its memory. */
const watch = async (url: string, pid: number): Promise<Watched> => {
  await ask(`${url}/health/live`, null, null);
  const own = monitorEventLoopDelay({ resolution: 1 });
  own.enable();
  let peakRss = rssOf(pid);
  const timer = setInterval(() => {
    peakRss = Math.max(peakRss, rssOf(pid));
  }, RSS_EVERY_MS);
  let longestMs = 0;
  while (!isStopped) {
    const began = performance.now();
    await ask(`${url}/health/live`, null, null);
    longestMs = Math.max(longestMs, performance.now() - began);
    await sleep(ASK_EVERY_MS);
  }
  clearInterval(timer);
  return { peakRss, longestMs, ownLongestMs: own.max / NS_IN_MS };
};

/** Single pushes, each until its receipt is completed. @returns milliseconds of each */
const pushSingles = async ({ url, token, prefix, pushes }: ClientTask & { kind: 'push' }) => {
  const bodyOf = smallBodies(prefix);
  const took: number[] = [];
  for (let n = 0; n < pushes; n += 1) {
    const body = bodyOf(n);
    const began = performance.now();
    const taken = await ask(`${url}/api/registry/fhir/Bundle`, token, body);
    if (taken.status !== ACCEPTED) throw new Error(`A push was answered with ${taken.status}.`);
    for (;;) {
      const { text } = await ask(taken.location, token, null);
      if (JSON.parse(text).status === 'completed') break;
      await sleep(ASK_EVERY_MS);
    }
    took.push(performance.now() - began);
  }
  return took;
};

process.on('message', async (message: ClientTask | 'stop') => {
  if (message === 'stop') isStopped = true;
  else if (message.kind === 'watch') process.send?.(await watch(message.url, message.pid));
  else process.send?.(await pushSingles(message));
});
process.on('disconnect', () => process.exit());
