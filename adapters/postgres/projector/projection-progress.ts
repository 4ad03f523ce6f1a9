import type { Db } from '../connection/database.ts';
import { pause } from '../connection/pause.ts';

/** The read tables did not reach a position in time: the projector is behind or gone. */
export class ProjectionBehind extends Error {
  override readonly name = 'ProjectionBehind';
}

const POLL_MS = 20;

/**
 * How far the read tables are; readers of what was just written wait here. The projector of the same
 * process reports at once; that of another process is seen by polling.
 */
export const createProjectionProgress = (db: Db) => {
  let known = -1n;
  let knownEpoch: string | null = null;
  let isCaughtUp = false;
  const waiting = new Set<() => void>();
  const listeners = new Set<() => void>();
  let cancelLinger: () => void = () => undefined;

  /**
   * A batch was committed up to here. A position belongs to the tables of its epoch: of rebuilt
   * tables nothing is believed that was known of the former ones.
   */
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
      cancelLinger();
    });

  return {
    /** Calls back after each advance. @returns how to end that */
    onAdvance(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Furthest position that this process knows of. */
    position: (): bigint => known,
    /** Asks how far they are: another process may keep them up. */
    look: poll,
    advance,
    /** The projector has seen everything that was in the log when it began, or stands by. */
    caughtUp(): void {
      isCaughtUp = true;
    },
    hasCaughtUp: (): boolean => isCaughtUp,
    /** Waits until the read tables have passed a position. @throws ProjectionBehind */
    async reach(position: bigint, withinMs: number): Promise<void> {
      const started = performance.now();
      while (known < position) {
        if (performance.now() - started > withinMs)
          throw new ProjectionBehind('The read tables are behind the log. Try again in a minute.');
        await nextAdvance(POLL_MS);
        if (known < position) await poll();
      }
    },
    /** Lets time pass, or less of it when a caller in this process waits in `reach`. */
    async lingerUnlessAwaited(ms: number): Promise<void> {
      if (waiting.size > 0) return;
      const awaited = new AbortController();
      cancelLinger = () => awaited.abort();
      await pause(ms, awaited.signal);
    },
    /** Ends such a rest: nothing more comes just now. */
    cancelLinger: (): void => cancelLinger(),
  };
};

/** @see createProjectionProgress */
export type ProjectionProgress = ReturnType<typeof createProjectionProgress>;
