import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { LogEntry } from '../../domain/event-log.ts';
import type { Change } from '../../projections/projection.ts';
import { changesOf } from '../../projections/read-model.ts';
import type { FollowLog, LogBatch } from '../eventstore/follow-log.ts';
import { applyChanges } from './apply-changes.ts';
import type { Db } from './database.ts';
import type { Lease, Leases } from './leases.ts';
import type { ProjectionProgress } from './projection-progress.ts';

/** Somebody else moved the checkpoint: another projector, or a rebuild. */
export class CheckpointMoved extends Error {
  override readonly name = 'CheckpointMoved';
}

/** Keeps the read tables up with the log, as the only one of its kind, until it is stopped. */
export interface Projector {
  /** Streams that are parked, as of the last batch. */
  parkedStreams(): number;
  stop(): Promise<void>;
}

/** What the projector works with. */
export interface ProjectorParts {
  readonly db: Db;
  readonly leases: Leases;
  readonly follow: FollowLog;
  readonly progress: ProjectionProgress;
  /** Told of faults that it recovers from by itself. */
  readonly onFault: (error: unknown) => void;
}

const LEASE = 'projector';
const STANDBY_POLL_MS = 500;
const RENEW_EVERY_MS = 1_000;
const FIRST_BACKOFF_MS = 50;
const LONGEST_BACKOFF_MS = 2_000;

interface Checkpoint {
  readonly epoch: string;
  readonly position: bigint;
}

/** Starts the projector: it waits as a standby until it gets the lease. */
export const startProjector = (parts: ProjectorParts): Projector => {
  const { db, leases, progress } = parts;
  const holder = randomUUID();
  const stopping = new AbortController();
  let parked = new Set<string>();

  const applyBatch = async (checkpoint: Checkpoint, batch: LogBatch): Promise<Checkpoint> => {
    const applicable = batch.entries.filter((entry) => !parked.has(streamOf(entry)));
    const readable = applicable.every((entry) => entry.kind === 'event');
    try {
      if (!readable) throw new DataFault();
      await commit(db, checkpoint, batch.position, applicable.flatMap(changesOfEntry));
    } catch (error) {
      if (!isDataFault(error)) throw error;
      await applyOneByOne(checkpoint, batch);
    }
    progress.advance(batch.position);
    return { ...checkpoint, position: batch.position };
  };

  // Slow path: some event of the batch cannot be applied. Find it, park its stream, go on.
  const applyOneByOne = async (checkpoint: Checkpoint, batch: LogBatch): Promise<void> => {
    let at = checkpoint;
    for (const entry of batch.entries) {
      const position = positionOf(entry);
      if (!parked.has(streamOf(entry))) {
        try {
          if (entry.kind === 'unreadable') throw new DataFault();
          await commit(db, at, position, changesOfEntry(entry));
        } catch (error) {
          if (!isDataFault(error)) throw error;
          await park(at, entry, problemOf(entry, error));
        }
        at = { ...at, position };
      }
    }
    if (at.position !== batch.position) await commit(db, at, batch.position, []);
  };

  const park = async (at: Checkpoint, entry: LogEntry, problem: string): Promise<void> => {
    await db.transaction().execute(async (transaction) => {
      await moveCheckpoint(transaction, at, positionOf(entry));
      await transaction
        .insertInto('read.parked_stream')
        .values({
          stream: streamOf(entry),
          revision: revisionOf(entry).toString(),
          position: positionOf(entry).toString(),
          event_type: entry.kind === 'event' ? entry.stored.event.type : entry.type,
          problem,
        })
        .execute();
    });
    parked.add(streamOf(entry));
  };

  const runActive = async (): Promise<void> => {
    const held = await db
      .selectFrom('read.checkpoint')
      .select(['epoch', 'position'])
      .executeTakeFirstOrThrow();
    const rows = await db.selectFrom('read.parked_stream').select('stream').execute();
    parked = new Set(rows.map(({ stream }) => stream));
    let checkpoint: Checkpoint = { epoch: held.epoch, position: BigInt(held.position) };
    progress.advance(checkpoint.position);

    const lost = new AbortController();
    const renewal = renewLease(leases, holder, lost);
    const until = AbortSignal.any([stopping.signal, lost.signal]);
    try {
      await parts.follow(
        checkpoint.position < 0n ? null : checkpoint.position,
        async (batch) => {
          // A repeated event after a resubscription is behind the checkpoint: skip it.
          const news = batch.entries.filter((entry) => positionOf(entry) > checkpoint.position);
          if (batch.position <= checkpoint.position) return;
          checkpoint = await applyBatch(checkpoint, { ...batch, entries: news });
        },
        progress.caughtUp,
        until,
      );
    } finally {
      renewal.stop();
    }
  };

  const run = async (): Promise<void> => {
    let backoffMs = FIRST_BACKOFF_MS;
    while (!stopping.signal.aborted) {
      try {
        const lease = await leases.take(LEASE, holder);
        if (lease === null) {
          // A standby is as ready as it can be: the tables are another's to fill.
          progress.caughtUp();
          await sleep(STANDBY_POLL_MS, stopping.signal);
          continue;
        }
        const started = performance.now();
        await runActive().finally(() => giveBack(leases, lease, progress));
        if (performance.now() - started > LONGEST_BACKOFF_MS) backoffMs = FIRST_BACKOFF_MS;
      } catch (error) {
        if (!stopping.signal.aborted) parts.onFault(error);
        await sleep(backoffMs, stopping.signal);
        backoffMs = Math.min(2 * backoffMs, LONGEST_BACKOFF_MS);
      }
    }
  };

  const running = run();
  return {
    parkedStreams: () => parked.size,
    async stop() {
      stopping.abort();
      await running;
    },
  };
};

/** An event that cannot be applied for a reason of its own. */
class DataFault extends Error {
  override readonly name = 'DataFault';
}

// SQLSTATE classes of the data itself: cardinality, data exception, integrity constraint.
const DATA_FAULT_CLASSES = ['21', '22', '23'];

const isDataFault = (error: unknown): boolean => {
  if (error instanceof DataFault || error instanceof TypeError) return true;
  const code = (error as { code?: unknown } | null)?.code;
  return (
    typeof code === 'string' && code.length === 5 && DATA_FAULT_CLASSES.includes(code.slice(0, 2))
  );
};

// Never the message of Postgres: its detail quotes rows.
const problemOf = (entry: LogEntry, error: unknown): string => {
  if (entry.kind === 'unreadable') return entry.problem;
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' ? `SQLSTATE ${code}` : (error as Error).name;
};

const streamOf = (entry: LogEntry): string =>
  entry.kind === 'event' ? entry.stored.stream : entry.stream;
const positionOf = (entry: LogEntry): bigint =>
  entry.kind === 'event' ? entry.stored.position : entry.position;
const revisionOf = (entry: LogEntry): bigint =>
  entry.kind === 'event' ? entry.stored.revision : entry.revision;
const changesOfEntry = (entry: LogEntry): readonly Change[] =>
  entry.kind === 'event' ? changesOf(entry.stored) : [];

const commit = (db: Db, from: Checkpoint, to: bigint, changes: readonly Change[]): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    await moveCheckpoint(transaction, from, to);
    await applyChanges(transaction, 'read', changes);
  });

/** Compares and sets: of two projectors only one advances, and a rebuilt table knows no old one. */
const moveCheckpoint = async (db: Db, from: Checkpoint, to: bigint): Promise<void> => {
  const { numAffectedRows } = await sql`
    update read.checkpoint set position = ${to.toString()}::bigint
    where id = 1 and epoch = ${from.epoch} and position = ${from.position.toString()}::bigint`.execute(
    db,
  );
  if (numAffectedRows !== 1n) throw new CheckpointMoved('The checkpoint was moved by another.');
};

const giveBack = async (leases: Leases, lease: Lease, progress: ProjectionProgress) => {
  await leases.release(lease, progress.position()).catch(() => undefined);
};

const renewLease = (leases: Leases, holder: string, lost: AbortController) => {
  const timer = setInterval(() => {
    leases.take(LEASE, holder).then(
      (lease) => lease === null && lost.abort(),
      // The database is away: the batches fail too, and the loop starts over.
      () => undefined,
    );
  }, RENEW_EVERY_MS);
  return { stop: () => clearInterval(timer) };
};

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
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
