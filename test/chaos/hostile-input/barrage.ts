import { randomFrom } from '../../../scripts/synthesis/random.ts';
import type { Weights } from '../../../scripts/synthesis/weights.ts';
import type { Answer } from './answers.ts';
import { type Attempt, type Generator, type Target, UNESCAPED_MARKER } from './attempt.ts';
import { type Connection, openConnection } from './connection.ts';
import type { Findings } from './findings.ts';

/** The kinds of attempts by their names, and how often each is made. */
export type Generators = Weights<readonly [name: string, generator: Generator]>;

/** What a barrage sends, and where. */
export interface BarrageOptions {
  readonly seed: string;
  readonly port: number;
  readonly target: Target;
  readonly generators: Generators;
  readonly findings: Findings;
  /** Takes every answer. */
  readonly onAnswer: (answer: Answer) => void;
}

const LANES = 12;
const ANSWERED_WITHIN_MS = 20_000;
const LATE_MS = 1_000;
const ALONE_TRIES = 3;
const MICROSECONDS_IN_MS = 1_000;
// A whole request has its answer by then; after that the end of half a request is sent.
const TORN_WAITS_MS = 25;

interface Sent {
  readonly answer: Answer | 'closed' | 'silent';
  readonly ms: number;
}

/** Sends attempts, many at a time. */
export const newBarrage = ({
  seed,
  port,
  target,
  generators,
  findings,
  onAnswer,
}: BarrageOptions) => {
  const late: number[] = [];

  // By its number alone, so that it is the same however many were under way beside it.
  const attempt = (n: number): Attempt & { readonly name: string } => {
    const random = randomFrom(`${seed} ${n}`);
    const [name, generator] = random.weighted(generators);
    return { name, ...generator(random, target, n) };
  };

  const judge = (n: number, name: string, forbidden: readonly string[], { answer, ms }: Sent) => {
    const where = `${name} ${n}`;
    if (answer === 'closed' || answer === 'silent') {
      findings.fault('no answer', `${where}, ${answer}`);
      return;
    }
    const { status, head, body } = answer;
    findings.count(`answers ${Number.isNaN(status) ? 'without status' : `${String(status)[0]}xx`}`);
    if (!(status < 500)) findings.fault('a server error', `${where}, ${status}`);
    if (/^x-injected/im.test(head)) findings.fault('an injected header', where);
    // A file or JSON gives back what was stored as it is; in a page it has to be text.
    const isPage = /^content-type: *text\/html/im.test(head);
    for (const text of forbidden)
      if (head.includes(text) || ((isPage || text !== UNESCAPED_MARKER) && body.includes(text)))
        findings.fault('a submitted value in an answer', `${where}, ${status}`);
    if (ms > LATE_MS) late.push(n);
    onAnswer(answer);
  };

  const sendTorn = async ({ bytes, isHead = false }: Attempt): Promise<Sent | null> => {
    const connection = await openConnection(port);
    const began = performance.now();
    connection.write(bytes);
    let answer = await connection.next(TORN_WAITS_MS, isHead);
    if (answer === 'silent') {
      connection.finish();
      answer = await connection.next(ANSWERED_WITHIN_MS, isHead);
    }
    connection.close();
    return answer === 'closed' ? null : { answer, ms: performance.now() - began };
  };

  const lane = async (numbers: Iterator<number>): Promise<void> => {
    let connection: Connection | null = null;
    for (let next = numbers.next(); !next.done; next = numbers.next()) {
      const n = next.value;
      const made = attempt(n);
      findings.count(made.name);
      findings.count('requests');
      if (made.isTorn) {
        const sent = await sendTorn(made);
        if (sent === null) findings.count('half requests dropped');
        else judge(n, made.name, made.forbidden, sent);
        continue;
      }
      const isUsed: boolean = connection?.isOpen() ?? false;
      if (!isUsed) {
        connection?.close();
        connection = await openConnection(port);
      }
      let sent = await exchange(connection as Connection, made);
      if (isUsed && sent.answer === 'closed') {
        // It may have been idle too long just then.
        connection = await openConnection(port);
        sent = await exchange(connection, made);
      }
      judge(n, made.name, made.forbidden, sent);
      if (sent.answer === 'silent') connection?.close();
    }
    connection?.close();
  };

  return {
    /** Sends the attempts with these numbers, the second one not included. */
    async send(from: number, to: number): Promise<void> {
      const numbers = (function* () {
        for (let n = from; n < to; n += 1) yield n;
      })();
      await Promise.all(Array.from({ length: LANES }, () => lane(numbers)));
    },
    /**
     * Sends each attempt that was answered late once more, alone, and discounts what other processes
     * take of the machine: that tells a slow request from one that had to wait.
     */
    async lookAgain(): Promise<void> {
      findings.count('late, looked at again', late.length);
      for (const n of late.splice(0)) {
        const made = attempt(n);
        let ms = Number.POSITIVE_INFINITY;
        for (let left = ALONE_TRIES; left > 0 && ms > LATE_MS; left -= 1) {
          const connection = await openConnection(port);
          const before = crowding();
          const sent = await exchange(connection, made);
          ms = Math.min(ms, Math.round(sent.ms / Math.max(before, crowding())));
          connection.close();
        }
        if (ms > LATE_MS) findings.fault('later than a second', `${made.name} ${n}, ${ms} ms`);
      }
    },
  };
};

const PROBE_MS = 100;

/** How many times longer something takes than it would if this process had a core to itself. */
const crowding = (): number => {
  const [began, before] = [performance.now(), process.cpuUsage()];
  while (performance.now() - began < PROBE_MS);
  const { user, system } = process.cpuUsage(before);
  return Math.max(1, (performance.now() - began) / ((user + system) / MICROSECONDS_IN_MS));
};

const exchange = async (connection: Connection, { bytes, isHead }: Attempt): Promise<Sent> => {
  const began = performance.now();
  connection.write(bytes);
  const answer = await connection.next(ANSWERED_WITHIN_MS, isHead);
  return { answer, ms: performance.now() - began };
};
