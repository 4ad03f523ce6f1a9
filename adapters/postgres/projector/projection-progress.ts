import type { Db } from '../connection/database.ts';
import { pause } from '../connection/pause.ts';

/** The read tables did not reach a position in time: the projector is behind or down. */
export class ProjectionBehind extends Error {
  override readonly name = 'ProjectionBehind';
}

const POLL_MS = 20;

/** For requests that must read their own writes. A projector in another process is found by polling. */
export const createProjectionProgress = (db: Db) => {
  let known = -1n;
  let knownEpoch: string | null = null;
  let isCaughtUp = false;
  const waiting = new Set<() => void>();
  const listeners = new Set<() => void>();
  let cancelLinger: () => void = () => undefined;

  /** Called after a commit. Positions belong to one epoch: a rebuild voids the former one. */
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
    /** Calls `listener` after each advance. @returns a function that stops it */
    onAdvance(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    position: (): bigint => known,
    /** Epoch of that position: a rebuild begins another. `null` before the first look. */
    epoch: (): string | null => knownEpoch,
    /** Polls the position, because another process may run the projector. */
    look: poll,
    advance,
    /** Called when everything that was in the log at the start is applied, or on standby. */
    caughtUp(): void {
      isCaughtUp = true;
    },
    hasCaughtUp: (): boolean => isCaughtUp,
    /** Waits until the read tables have reached a position. @throws ProjectionBehind */
    async reach(position: bigint, withinMs: number): Promise<void> {
      const started = performance.now();
      while (known < position) {
        if (performance.now() - started > withinMs)
          throw new ProjectionBehind('The read tables are behind the log. Try again in a minute.');
        await nextAdvance(POLL_MS);
        if (known < position) await poll();
      }
    },
    /** Lingers for `ms`, or until a caller in this process waits in `reach`. */
    async lingerUnlessAwaited(ms: number): Promise<void> {
      if (waiting.size > 0) return;
      const awaited = new AbortController();
      cancelLinger = () => awaited.abort();
      await pause(ms, awaited.signal);
    },
    /** Cuts a linger short because nothing else is coming for now. */
    cancelLinger: (): void => cancelLinger(),
  };
};

export type ProjectionProgress = ReturnType<typeof createProjectionProgress>;
