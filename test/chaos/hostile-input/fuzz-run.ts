import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { Answer } from './answers.ts';
import { type Connection, openConnection } from './connection.ts';
import type { Findings } from './findings.ts';
import { type HostileRequest, UNESCAPED_MARKER } from './request.ts';

/** Input of one kind, and what must hold for each of it. */
export interface FuzzTask<Input extends HostileRequest = HostileRequest> {
  /** Together with the seed of the run it decides what is tried. */
  readonly name: string;
  readonly arbitrary: fc.Arbitrary<Input>;
  readonly runs: number;
  /** @returns milliseconds until the answer @throws Violation */
  check(input: Input, lane: Lane): Promise<number>;
}

/** What should never happen and did. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly kind: string;
  constructor(kind: string, where: string) {
    super(where);
    this.kind = kind;
  }
}

/** Repeats one input: the name of its task, and the path that fast-check has given it. */
export interface Replay {
  readonly task: string;
  readonly path: string;
}

/** @throws RangeError if it is none */
export const parseReplay = (text: string): Replay => {
  const [, task, path] = /^(.+)@([\d:]+)$/.exec(text) ?? [];
  if (task === undefined || path === undefined) throw new RangeError('--path is TASK@PATH.');
  return { task, path };
};

interface FuzzRunOptions {
  readonly seed: string;
  readonly port: number;
  /** Repeats one input of each task; empty: all of them are tried. */
  readonly path: string;
  readonly findings: Findings;
}

const LANES = 12;
const LATE_MS = 1_000;
const ALONE_TRIES = 3;
const MICROSECONDS_IN_MS = 1_000;
const SHRINK_TIMEOUT_MS = 60_000;
/** When so many were found, everything is broken: the smallest input of each would tell no more. */
const MAX_SHRUNK = 8;
const MAX_SHOWN_CHARS = 1_500;

/** Tries input, much of it at a time, and reports the smallest that should not have had its effect. */
export const createFuzzRun = ({ seed, port, findings, ...options }: FuzzRunOptions) => {
  const late: { readonly task: FuzzTask; readonly path: string }[] = [];
  let shrunk = 0;

  const run = async (task: FuzzTask, lane: Lane, path = options.path): Promise<void> => {
    let kind: string | null = null;
    let giveUp = Number.POSITIVE_INFINITY;
    let index = 0;
    const isShrunk = shrunk < MAX_SHRUNK;
    const property = fc.asyncProperty(task.arbitrary, async (input) => {
      if (performance.now() > giveUp) return;
      try {
        const tookMs = await task.check(input, lane);
        if (kind === null && tookMs > LATE_MS)
          late.push({ task, path: path === '' ? String(index) : path });
        index += 1;
      } catch (error) {
        const found = error instanceof Violation ? error.kind : String(error);
        if (kind === null) giveUp = performance.now() + SHRINK_TIMEOUT_MS;
        kind ??= found;
        // A smaller input with another effect is another finding.
        if (found === kind) throw error;
      }
    });
    const { failed, counterexample, counterexamplePath, numShrinks, errorInstance } =
      await fc.check(property, {
        seed: createHash('sha256').update(`${seed} ${task.name}`).digest().readInt32BE(),
        path,
        numRuns: path === '' ? task.runs : 1,
        endOnFailure: !isShrunk || path.includes(':'),
        unbiased: true,
      } as fc.Parameters<[HostileRequest]>);
    if (!failed) return;
    shrunk += 1;
    const { bytes } = (counterexample as [HostileRequest])[0];
    const shown = JSON.stringify(bytes.toString('latin1', 0, MAX_SHOWN_CHARS));
    const where = errorInstance instanceof Violation ? `${errorInstance.message}, ` : '';
    findings.fault(
      kind ?? 'unknown',
      `${where}smallest input (${bytes.length} bytes, after ${numShrinks} steps): ${shown}; again: --seed '${seed}' --path '${task.name}@${counterexamplePath}'`,
    );
  };

  const checkAlone = async (request: HostileRequest): Promise<number> => {
    let ms = Number.POSITIVE_INFINITY;
    for (let left = ALONE_TRIES; left > 0 && ms > LATE_MS; left -= 1) {
      const lane = createLane(port);
      const before = measureCrowding();
      const sent = await lane.exchange(request);
      lane.close();
      if (sent.answer !== 'closed' || request.isTorn)
        ms = Math.min(ms, Math.round(sent.ms / Math.max(before, measureCrowding())));
    }
    if (ms > LATE_MS) throw new Violation('later than a second', `${request.kind}, ${ms} ms`);
    return 0;
  };

  return {
    /** Tries tasks, some at a time. */
    async send(tasks: readonly FuzzTask[]): Promise<void> {
      const waiting = tasks.values();
      const work = async (): Promise<void> => {
        const lane = createLane(port);
        for (const task of waiting) await run(task, lane);
        lane.close();
      };
      await Promise.all(Array.from({ length: LANES }, work));
    },
    /**
     * Sends each input that was answered late once more, alone, and discounts what other processes
     * take of the machine: that tells a slow request from one that had to wait.
     */
    async checkLate(): Promise<void> {
      findings.count('late, looked at again', late.length);
      for (const { task, path } of late.splice(0)) {
        const lane = createLane(port);
        await run({ ...task, check: checkAlone }, lane, path);
        lane.close();
      }
    },
  };
};

const PROBE_MS = 100;

/** How many times longer something takes than it would if this process had a core to itself. */
const measureCrowding = (): number => {
  const [began, before] = [performance.now(), process.cpuUsage()];
  while (performance.now() - began < PROBE_MS);
  const { user, system } = process.cpuUsage(before);
  return Math.max(1, (performance.now() - began) / ((user + system) / MICROSECONDS_IN_MS));
};

interface Sent {
  readonly answer: Answer | 'closed' | 'silent';
  readonly ms: number;
}

/** Sends one request after the other, on one connection for as long as it is open. */
export type Lane = ReturnType<typeof createLane>;

const ANSWER_TIMEOUT_MS = 20_000;
// A whole request has its answer by then; after that the end of half a request is sent.
const TORN_TIMEOUT_MS = 25;

const createLane = (port: number) => {
  let connection: Connection | null = null;

  const exchange = async (to: Connection, { bytes, isHead, isTorn }: HostileRequest) => {
    const began = performance.now();
    to.write(bytes);
    let answer = await to.next(isTorn ? TORN_TIMEOUT_MS : ANSWER_TIMEOUT_MS, isHead);
    if (isTorn && answer === 'silent') {
      to.finish();
      answer = await to.next(ANSWER_TIMEOUT_MS, isHead);
    }
    return { answer, ms: performance.now() - began };
  };

  return {
    async exchange(request: HostileRequest): Promise<Sent> {
      const isReused = connection?.isOpen() === true && !request.isTorn;
      if (!isReused) {
        connection?.close();
        connection = await openConnection(port);
      }
      let sent = await exchange(connection as Connection, request);
      if (isReused && sent.answer === 'closed') {
        // It may have been idle too long just then.
        connection = await openConnection(port);
        sent = await exchange(connection, request);
      }
      if (request.isTorn || sent.answer === 'silent') connection?.close();
      return sent;
    },
    close: (): void => connection?.close(),
  };
};

/**
 * Sends a request, and looks at its answer.
 * @param requestMs after it the service closes a connection; on a busy machine that may be any one
 * @param onAnswer takes every answer
 */
export const createCheck =
  (findings: Findings, requestMs: number, onAnswer: (answer: Answer) => void) =>
  async (request: HostileRequest, lane: Lane): Promise<number> => {
    const { kind, isTorn, forbidden } = request;
    findings.count(kind);
    findings.count('requests');
    const { answer, ms } = await lane.exchange(request);
    if (answer === 'closed' && isTorn) {
      findings.count('half requests dropped');
      return 0;
    }
    if (answer === 'closed' && ms >= requestMs) return ms;
    if (answer === 'closed' || answer === 'silent')
      throw new Violation('no answer', `${kind}, ${answer}`);
    const { status, head, body } = answer;
    findings.count(`answers ${Number.isNaN(status) ? 'without status' : `${String(status)[0]}xx`}`);
    onAnswer(answer);
    if (!(status < 500)) throw new Violation('a server error', `${kind}, ${status}`);
    if (/^x-injected/im.test(head)) throw new Violation('an injected header', kind);
    // A file or JSON gives back what was stored as it is; in a page it has to be text.
    const isPage = /^content-type: *text\/html/im.test(head);
    for (const text of forbidden)
      if (head.includes(text) || ((isPage || text !== UNESCAPED_MARKER) && body.includes(text)))
        throw new Violation('a submitted value in an answer', `${kind}, ${status}`);
    return ms;
  };
