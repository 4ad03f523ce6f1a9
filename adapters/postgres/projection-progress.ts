import type { Db } from './database.ts';

/** The read tables did not reach a position in time: the projector is behind or gone. */
export class ProjectionBehind extends Error {
  override readonly name = 'ProjectionBehind';
}

/** How far the read tables are; whoever must read what was just written waits here. */
export interface ProjectionProgress {
  /** Furthest position that this process knows of. */
  position(): bigint;
  /**
   * A batch was committed up to here. A position belongs to the tables of its epoch: of rebuilt
   * tables nothing is believed that was known of the former ones.
   */
  advance(position: bigint, epoch: string): void;
  /** Calls back after each advance. @returns how to end that */
  onAdvance(listener: () => void): () => void;
  /** The projector has seen everything that was in the log when it began, or stands by. */
  caughtUp(): void;
  hasCaughtUp(): boolean;
  /** Waits until the read tables have passed a position. @throws ProjectionBehind */
  reach(position: bigint, withinMs: number): Promise<void>;
  /** Lets time pass, until somebody of this process waits in `reach` or the signal aborts. */
  restUnlessAwaited(ms: number, signal: AbortSignal): Promise<void>;
}

const POLL_MS = 20;

/** The projector of the same process tells at once; another process' is seen by polling. */
export const projectionProgressOf = (db: Db): ProjectionProgress => {
  let known = -1n;
  let knownEpoch: string | null = null;
  let isCaughtUp = false;
  const waiting = new Set<() => void>();
  const listeners = new Set<() => void>();
  const resting = new Set<() => void>();

  const advance = (position: bigint, epoch: string) => {
    if (epoch === knownEpoch && position <= known) return;
    knownEpoch = epoch;
    known = position;
    for (const wake of [...waiting, ...listeners]) wake();
  };

  const poll = async () => {
    const { position, epoch } = await db
      .selectFrom('read.checkpoint')
      .select(['position', 'epoch'])
      .executeTakeFirstOrThrow();
    advance(BigInt(position), epoch);
  };

  const nextAdvance = (ms: number) =>
    new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      waiting.add(done);
      for (const stop of resting) stop();
    });

  return {
    onAdvance(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    position: () => known,
    advance,
    caughtUp: () => {
      isCaughtUp = true;
    },
    hasCaughtUp: () => isCaughtUp,
    async reach(position, withinMs) {
      const started = performance.now();
      while (known < position) {
        if (performance.now() - started > withinMs)
          throw new ProjectionBehind('The read tables are behind the log.');
        await nextAdvance(POLL_MS);
        if (known < position) await poll();
      }
    },
    async restUnlessAwaited(ms, signal) {
      if (waiting.size > 0 || signal.aborted) return;
      const awaited = new AbortController();
      const stop = () => awaited.abort();
      resting.add(stop);
      await sleep(ms, AbortSignal.any([awaited.signal, signal]));
      resting.delete(stop);
    },
  };
};

/** Waits so long, or until the signal aborts. */
export const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
