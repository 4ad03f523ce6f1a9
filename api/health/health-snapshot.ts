import type { DatabaseRefusal } from '../../adapters/postgres/connection/outage.ts';
import type {
  ProjectionStats,
  QueueStats,
} from '../../adapters/postgres/read-model/health-stats.ts';
import type { AppendHealth } from '../../domain/event-log.ts';
import type { Rebuild } from '../../domain/progress.ts';

export type Answer<T> = { readonly value: T } | { readonly fault: string };

export type { QueueStats };

export interface ProjectionSnapshot extends Omit<ProjectionStats, 'epoch' | 'lastApplied'> {
  /** Last noticed by this process. */
  readonly progressAt: Date;
  /** In any process; `null` if none is running. */
  readonly rebuild: Rebuild | null;
}

export interface LogSnapshot {
  readonly position: bigint;
  /** `null` if there is no event of ours near the end. */
  readonly newestAt: Date | null;
}

export interface Lag {
  readonly events: number;
  /** True if extrapolated from the next events. */
  readonly isEstimate: boolean;
  /** 0 if the tables have caught up. */
  readonly seconds: number;
  /** Without any progress although the log had more events; otherwise 0. */
  readonly stalledSeconds: number;
}

export interface HealthSnapshot {
  readonly at: Date;
  readonly queue: Answer<QueueStats>;
  readonly tables: Answer<ProjectionSnapshot>;
  readonly log: Answer<LogSnapshot>;
  readonly appends: AppendHealth;
  /** False while the log or the tables are unavailable. */
  readonly isAheadOfLog: boolean;
  /** `null` while the log or the tables are unavailable, or the tables are ahead of the log. */
  readonly lag: Lag | null;
}

/** `null` for a fault. */
export const getValue = <T>(answer: Answer<T>): T | null =>
  'value' in answer ? answer.value : null;

/** The threads share one clock. */
export const addAppends = (threads: readonly AppendHealth[]): AppendHealth => {
  const failing = threads.flatMap(({ failingSince }) => failingSince ?? []);
  const clocks = threads.flatMap(({ clock }) => clock ?? []);
  const cause = threads.find((thread) => thread.cause !== undefined)?.cause;
  return {
    failingSince: failing.sort((one, other) => one.getTime() - other.getTime())[0] ?? null,
    ...(cause !== undefined && { cause }),
    clock: clocks.sort((one, other) => one.uncertaintyMs - other.uncertaintyMs)[0] ?? null,
  };
};

/** A projector that waits for the log, or for a rebuild, lets its lease go. */
export const lacksProjector = ({ tables, log, isAheadOfLog }: HealthSnapshot): boolean => {
  const value = getValue(tables);
  const isWaiting = 'fault' in log || isAheadOfLog || value?.version === 'other';
  return value !== null && !value.hasActiveProjector && !isWaiting;
};

const DATABASE_REFUSALS = [
  'database-access-denied',
  'database-certificate-refused',
  'database-full',
  'database-disk-full',
  'database-read-only',
] as const satisfies readonly `database-${DatabaseRefusal}`[];

/** `null` if the database can be read. */
export const findDatabaseTrouble = ({
  queue,
  tables,
}: HealthSnapshot): 'database-away' | `database-${DatabaseRefusal}` | null => {
  const faults = [queue, tables].flatMap((answer) => ('fault' in answer ? answer.fault : []));
  if (faults.length === 0) return null;
  return DATABASE_REFUSALS.find((refusal) => faults.includes(refusal)) ?? 'database-away';
};

/** `null` if the log can be read. */
export const findLogTrouble = ({
  log,
}: HealthSnapshot):
  | 'log-access-denied'
  | 'log-certificate-refused'
  | 'log-not-leader'
  | 'streams-truncated'
  | 'log-away'
  | null => {
  if (!('fault' in log)) return null;
  if (log.fault === 'StreamTruncated') return 'streams-truncated';
  if (log.fault === 'EventLogAccessDenied') return 'log-access-denied';
  if (log.fault === 'EventLogCertificateRefused') return 'log-certificate-refused';
  return log.fault === 'EventLogNotLeader' ? 'log-not-leader' : 'log-away';
};

export const countDeadLetterStreams = ({ parked }: ProjectionSnapshot): number =>
  Object.values(parked).reduce((sum, streams) => sum + streams, 0);
