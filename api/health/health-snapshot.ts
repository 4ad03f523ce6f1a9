import type { AppendHealth } from '../../domain/event-log.ts';
import type { Rebuild } from '../../domain/progress.ts';

/** An answer of a store, or the class of the fault that came instead. */
export type Answer<T> = { readonly value: T } | { readonly fault: string };

/** What waits between the door and the worker. */
export interface QueueSnapshot {
  readonly ingestions: number;
  readonly courses: number;
  /** How long the oldest has waited; 0: nothing waits. */
  readonly oldestSeconds: number;
  /** How long the oldest note of the access log has waited to be in the log; 0: none waits. */
  readonly noteSeconds: number;
  /** Notes of the access log that it would refuse: kept, and not in it. */
  readonly notesSetAside: number;
}

/** How far the read tables are. */
export interface ProjectionSnapshot {
  readonly position: bigint;
  readonly isOfThisVersion: boolean;
  /** Whether some process keeps them up. */
  readonly hasActiveProjector: boolean;
  /** Parked streams by their kind. */
  readonly parked: Readonly<Record<string, number>>;
  /** When this process last learned that the tables went on. */
  readonly progressAt: Date;
  /** In this process or another. Null: none is under way. */
  readonly rebuild: Rebuild | null;
}

/** Where the log ends. */
export interface LogSnapshot {
  readonly position: bigint;
  /** Null when it holds no event of ours near its end. */
  readonly newestAt: Date | null;
}

/** How far the read tables are behind the log. */
export interface Lag {
  /** Events that are not in the tables. */
  readonly events: number;
  /** From the spacing of the next hundred, instead of counted. */
  readonly isEstimate: boolean;
  /** Since when the oldest of them is in the log, in seconds; 0: the tables hold everything. */
  readonly seconds: number;
  /** For how long the tables have not gone on at all, although the log had more; else 0. */
  readonly stalledSeconds: number;
}

/** What could be seen of log, queue and read tables at one time. */
export interface HealthSnapshot {
  readonly at: Date;
  readonly queue: Answer<QueueSnapshot>;
  readonly tables: Answer<ProjectionSnapshot>;
  readonly log: Answer<LogSnapshot>;
  /** How the appends of this process go, those of all its threads. */
  readonly appends: AppendHealth;
  /** Whether the tables hold what the log does not; false while either cannot be seen. */
  readonly isAheadOfLog: boolean;
  /** Null while the log or the tables cannot be seen, and while the tables are ahead of the log. */
  readonly lag: Lag | null;
}

/** The value of an answer; null for a fault. */
export const getValue = <T>(answer: Answer<T>): T | null =>
  'value' in answer ? answer.value : null;

/** How appends go in several threads of one process, which have one clock. */
export const addAppends = (threads: readonly AppendHealth[]): AppendHealth => {
  const failing = threads.flatMap(({ failingSince }) => failingSince ?? []);
  const clocks = threads.flatMap(({ clock }) => clock ?? []);
  return {
    failingSince: failing.sort((one, other) => one.getTime() - other.getTime())[0] ?? null,
    clock: clocks.sort((one, other) => one.uncertaintyMs - other.uncertaintyMs)[0] ?? null,
  };
};

/** Streams parked of every kind. */
export const countParkedStreams = ({ parked }: ProjectionSnapshot): number =>
  Object.values(parked).reduce((sum, streams) => sum + streams, 0);
