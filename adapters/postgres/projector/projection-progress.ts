import type { Db } from '../connection/database.ts';
import { pause } from '../connection/pause.ts';
import type { ObservePosition } from '../leases/leases.ts';

/** The read tables did not reach a position in time: the projector is behind or down. */
export class ProjectionBehind extends Error {
  override readonly name = 'ProjectionBehind';
}

/** Place of the read tables in the log. Positions are comparable within an epoch only. */
export interface TablesPosition {
  readonly position: bigint;
  readonly epoch: string;
}

const POLL_MS = 20;

/** For requests that must read their own writes. A projector in another process is found by polling. */
export const createProjectionProgress = (db: Db) => {
  let known = -1n;
  let knownEpoch: string | null = null;
  /** Counts how often the tables were replaced or went back. */
  let replacements = 0;
  const endedEpochs = new Set<string>();
  let isCaughtUp = false;
  const waiting = new Set<() => void>();
  const listeners = new Set<() => void>();
  let cancelLinger: () => void = () => undefined;

  const set = (position: bigint, epoch: string): void => {
    known = position;
    knownEpoch = epoch;
    for (const wake of [...waiting, ...listeners]) wake();
  };

  const replace = (position: bigint, epoch: string): void => {
    if (knownEpoch !== null) endedEpochs.add(knownEpoch);
    replacements += 1;
    set(position, epoch);
  };

  /** Called after a commit of a projector. Each one begins an epoch, as does a rebuild. */
  const advance = (position: bigint, epoch: string): void => {
    if (endedEpochs.has(epoch)) return;
    if (epoch !== knownEpoch) replace(position, epoch);
    else if (position > known) set(position, epoch);
  };

  /**
   * Runs a query whose answer has the checkpoint. An answer below a position that was known before
   * shows that the tables went back, as after a crash of Postgres or a failover to a replica.
   */
  const observe: ObservePosition = async (query) => {
    const before = { known, replacements };
    const answer = await query();
    // An answer that was on its way when the tables were replaced may be of the former ones.
    if (answer === null || before.replacements !== replacements) return answer;
    const { position, epoch } = answer;
    if (epoch !== knownEpoch || position < before.known) replace(position, epoch);
    else if (position > known) set(position, epoch);
    return answer;
  };

  const poll = () =>
    observe(async () => {
      const { position, epoch } = await db
        .selectFrom('read.checkpoint')
        .select(['position', 'epoch'])
        .executeTakeFirstOrThrow();
      return { position: BigInt(position), epoch };
    });

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
    /** Epoch of that position. `null` before the first look. */
    epoch: (): string | null => knownEpoch,
    /** Polls the position, because another process may run the projector. */
    look: async (): Promise<void> => void (await poll()),
    observe,
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
