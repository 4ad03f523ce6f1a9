import type { Db } from '../connection/database.ts';
import { pause } from '../connection/pause.ts';

/** The read tables did not reach a position in time: the projector is behind or gone. */
export class ProjectionBehind extends Error {
  override readonly name = 'ProjectionBehind';
}

/** How far the read tables are; readers of what was just written wait here. */
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
  /** Lets time pass, or less of it when a caller in this process waits in `reach`. */
  restUnlessAwaited(ms: number): Promise<void>;
  /** Ends such a rest: nothing more comes just now. */
  endRest(): void;
}

const POLL_MS = 20;

/** The projector of the same process tells at once; another process' is seen by polling. */
export const projectionProgressOf = (db: Db): ProjectionProgress => {
  let known = -1n;
  let knownEpoch: string | null = null;
  let isCaughtUp = false;
  const waiting = new Set<() => void>();
  const listeners = new Set<() => void>();
  let endRest: () => void = () => undefined;

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
      endRest();
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
          throw new ProjectionBehind('The read tables are behind the log. Try again in a minute.');
        await nextAdvance(POLL_MS);
        if (known < position) await poll();
      }
    },
    endRest: () => endRest(),
    async restUnlessAwaited(ms) {
      if (waiting.size > 0) return;
      const awaited = new AbortController();
      endRest = () => awaited.abort();
      await pause(ms, awaited.signal);
    },
  };
};
