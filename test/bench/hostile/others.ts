import { Agent, request } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { smallBodies } from '../../harness/push-bodies.ts';
import { ACCEPTED } from '../../harness/units.ts';

// Callers in a process of their own, so that neither making nor sending hostile input slows them.

/** Whose waits are measured: another practice than the one that sends. */
export interface OthersTask {
  readonly url: string;
  readonly token: string;
  /** Session cookie of a member. */
  readonly cookie: string;
  /** Address of a receipt. */
  readonly receipt: string;
  /** Begins the chart numbers of the pushes. */
  readonly prefix: string;
}

/** What others ask for. */
export const QUESTIONS = ['live', 'page', 'receipt', 'push'] as const;

export type Question = (typeof QUESTIONS)[number];

/** How long others waited. */
export interface OthersWaits {
  /** Milliseconds, ascending. */
  readonly waits: Readonly<Record<Question, readonly number[]>>;
  /** Questions that were not answered at first, or with a fault or a refusal. */
  readonly failed: number;
  /** The longest stall of the callers' own process, milliseconds: what the machine adds. */
  readonly ownLongestMs: number;
}

const ASK_EVERY_MS = 50;
const OK = 200;
const NS_IN_MS = 1e6;

interface Asked {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly wanted: number;
}

/** @returns whether it was answered as wanted */
const ask = (agent: Agent, { address, headers, body, wanted }: Asked): Promise<boolean> =>
  new Promise((resolve) => {
    const method = body === undefined ? 'GET' : 'POST';
    const asked = request(address, { agent, method, headers }, (response) => {
      response.resume();
      response.once('close', () => resolve(response.statusCode === wanted));
    });
    asked.once('error', () => resolve(false));
    asked.end(body);
  });

const questionsOf = ({
  url,
  token,
  cookie,
  receipt,
  prefix,
}: OthersTask): Readonly<Record<Question, (n: number) => Asked>> => {
  const bodyOf = smallBodies(prefix);
  const Authorization = `Bearer ${token}`;
  const pushing = { Authorization, 'Content-Type': 'application/fhir+json' };
  return {
    live: () => ({ address: `${url}/health/live`, headers: {}, wanted: OK }),
    page: () => ({
      address: `${url}/registry/records`,
      headers: { Cookie: cookie },
      wanted: OK,
    }),
    receipt: () => ({ address: receipt, headers: { Authorization }, wanted: OK }),
    push: (n) => ({
      address: `${url}/api/registry/fhir/Bundle`,
      headers: pushing,
      body: bodyOf(n),
      wanted: ACCEPTED,
    }),
  };
};

const noWaits = (): Record<Question, number[]> => ({ live: [], page: [], receipt: [], push: [] });

/** Asks at even times, for as long as the process lives. @returns takes what was seen since the last call */
const watch = (task: OthersTask): (() => OthersWaits) => {
  const own = monitorEventLoopDelay({ resolution: 1 });
  const questions = questionsOf(task);
  const began = new Map<Question, number>();
  let waits = noWaits();
  let failed = 0;
  const note = (question: Question): void => {
    const took = performance.now() - (began.get(question) ?? Number.POSITIVE_INFINITY);
    // Who would have asked meanwhile has waited, too.
    for (let wait = took; wait > 0; wait -= ASK_EVERY_MS) waits[question].push(wait);
  };
  const askAgain = async (question: Question): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let n = 0; ; n += 1) {
      const due = performance.now() + ASK_EVERY_MS;
      began.set(question, performance.now());
      while (!(await ask(agent, questions[question](n)))) {
        failed += 1;
        await sleep(ASK_EVERY_MS);
      }
      note(question);
      began.delete(question);
      await sleep(Math.max(0, due - performance.now()));
    }
  };
  own.enable();
  for (const question of QUESTIONS) void askAgain(question);
  return () => {
    for (const question of began.keys()) {
      note(question);
      began.set(question, performance.now());
    }
    for (const question of QUESTIONS) waits[question].sort((a, b) => a - b);
    const seen = { waits, failed, ownLongestMs: own.max / NS_IN_MS };
    waits = noWaits();
    failed = 0;
    own.reset();
    return seen;
  };
};

let take: (() => OthersWaits) | null = null;
process.on('message', (message: OthersTask | 'take') => {
  if (message === 'take') process.send?.(take?.());
  else take = watch(message);
});
process.on('disconnect', () => process.exit());
