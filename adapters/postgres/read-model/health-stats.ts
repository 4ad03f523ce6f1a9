import { sql } from 'kysely';
import type { EventIdentity } from '../../event-log/read-streams.ts';
import { type Db, getPool } from '../connection/database.ts';
import { LAST_APPLIED, parseLastApplied } from '../projector/read-schema.ts';
import { compareVersions, type TablesVersion } from '../projector/tables-version.ts';

export interface QueueStats {
  /** Number of ingestions, at most {@link MAX_COUNTED}. */
  readonly ingestions: number;
  readonly courses: number;
  /** Age of the oldest entry, or 0 if there is none. */
  readonly oldestSeconds: number;
  /** Age of the oldest outbox entry, or 0 if there is none. */
  readonly outboxOldestSeconds: number;
  /** Number of dead letters of the outbox, at most {@link MAX_COUNTED}. */
  readonly outboxDeadLetters: number;
}

export interface ProjectionStats {
  readonly position: bigint;
  readonly epoch: string;
  /** Last applied event, or `null` if there is none or the tables do not record it. */
  readonly lastApplied: EventIdentity | null;
  readonly version: TablesVersion;
  readonly hasActiveProjector: boolean;
  /** Number of parked streams by the prefix of their names. */
  readonly parked: Readonly<Record<string, number>>;
  /** Streams with events of other programs that no operator has acknowledged. */
  readonly foreign: NamedStreams;
  /** True if no checkpoint is signed, because the log does not extend the last one. */
  readonly isCheckpointRefused: boolean;
  readonly truncated: NamedStreams;
}

/** Number of streams, at most {@link MAX_COUNTED}, and the name of one; `null` if there are none. */
export interface NamedStreams {
  readonly streams: number;
  readonly name: string | null;
}

export interface PoolStats {
  readonly total: number;
  readonly idle: number;
  /** Queries waiting for a connection. */
  readonly waiting: number;
  readonly maximum: number;
}

/** Counting stops here, so that its cost does not grow with the queue. */
export const MAX_COUNTED = 100_000;

/** Reads the oldest entry by the queue's index and counts up to {@link MAX_COUNTED}. */
export const createLoadQueueStats = (db: Db) => async (): Promise<QueueStats> => {
  const { rows } = await sql<{
    ingestions: string;
    courses: string;
    oldest: number | null;
    note: number | null;
    set_aside: string;
  }>`
    select count(*) as ingestions, coalesce(sum(courses), 0) as courses, (
        select extract(epoch from clock_timestamp() - queued_at)::float8
        from app.submission order by seq limit 1
      ) as oldest, (
        select extract(epoch from clock_timestamp() - noted_at)::float8
        from app.noted_access where set_aside_at is null order by seq limit 1
      ) as note, (
        select count(*) from (
          select from app.noted_access where set_aside_at is not null limit ${MAX_COUNTED}
        ) aside
      ) as set_aside
    from (select courses from app.submission limit ${MAX_COUNTED}) counted`.execute(db);
  const [row] = rows;
  return {
    ingestions: Number(row?.ingestions ?? 0),
    courses: Number(row?.courses ?? 0),
    oldestSeconds: Math.max(0, row?.oldest ?? 0),
    outboxOldestSeconds: Math.max(0, row?.note ?? 0),
    outboxDeadLetters: Number(row?.set_aside ?? 0),
  };
};

export const createLoadProjectionStats = (db: Db) => async (): Promise<ProjectionStats> => {
  const { rows } = await sql<{
    position: string;
    epoch: string;
    model_version: string;
    last_applied: Parameters<typeof parseLastApplied>[0];
    is_kept_up: boolean;
    is_refused: boolean;
    parked: Readonly<Record<string, number>> | null;
  }>`
    select position, epoch, model_version, ${LAST_APPLIED} as last_applied,
      exists (
        select from app.lease
        where name = 'projector' and holder is not null and expires_at > clock_timestamp()
      ) as is_kept_up,
      exists (select from app.checkpoint_refusal) as is_refused, (
        select jsonb_object_agg(kind, streams) from (
          select split_part(stream, '-', 1) as kind, count(*) as streams
          from (select stream from read.parked_stream limit ${MAX_COUNTED}) counted
          group by kind
        ) kinds
      ) as parked
    from read.checkpoint where id = 1`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new TypeError('The read tables have no checkpoint.');
  const version = compareVersions(row.model_version);
  return {
    position: BigInt(row.position),
    epoch: row.epoch,
    lastApplied: parseLastApplied(row.last_applied),
    version,
    hasActiveProjector: row.is_kept_up,
    parked: row.parked ?? {},
    isCheckpointRefused: row.is_refused,
    ...(version === 'same'
      ? await loadFindings(db)
      : { foreign: NO_STREAMS, truncated: NO_STREAMS }),
  };
};

const NO_STREAMS: NamedStreams = { streams: 0, name: null };

/** Findings about streams. Tables of other versions may not have it. */
const loadFindings = async (db: Db): Promise<Pick<ProjectionStats, 'foreign' | 'truncated'>> => {
  const { rows } = await sql<{ finding: string; streams: string; name: string }>`
    select 'foreign' as finding, count(*) as streams, min(stream) as name
    from (
      select stream from read.foreign_stream
      where revision > coalesce(acknowledged, -1) limit ${MAX_COUNTED}
    ) found
    union all
    select 'truncated', count(*), min(stream)
    from (select stream from read.stream_retention limit ${MAX_COUNTED}) found`.execute(db);
  const findStreams = (kind: string): NamedStreams => {
    const row = rows.find(({ finding }) => finding === kind);
    return row === undefined ? NO_STREAMS : { streams: Number(row.streams), name: row.name };
  };
  return { foreign: findStreams('foreign'), truncated: findStreams('truncated') };
};

/** Connections in use. Sends no query. */
export const getPoolStats = (...databases: readonly Db[]): PoolStats =>
  addPoolStats(
    databases.map(getPool).map(({ totalCount, idleCount, waitingCount, options }) => ({
      total: totalCount,
      idle: idleCount,
      waiting: waitingCount,
      maximum: options.max,
    })),
  );

export const addPoolStats = (uses: readonly PoolStats[]): PoolStats => {
  const sum = (of: (use: PoolStats) => number) => uses.reduce((all, use) => all + of(use), 0);
  return {
    total: sum(({ total }) => total),
    idle: sum(({ idle }) => idle),
    waiting: sum(({ waiting }) => waiting),
    maximum: sum(({ maximum }) => maximum),
  };
};
