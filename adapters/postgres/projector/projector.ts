import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { isAboutAccess } from '../../../domain/stream-names.ts';
import { READ_MODEL_VERSION } from '../../../projections/read-model.ts';
import type { FollowLog, LogBatch } from '../../event-log/follow-log.ts';
import { raiseAccessVersion } from '../access/access-version.ts';
import type { Db } from '../connection/database.ts';
import { pause } from '../connection/pause.ts';
import type { Lease, Leases } from '../leases/leases.ts';
import { isAheadOfLog, type LogBehindTables, ReadTablesAheadOfLog } from './ahead-of-log.ts';
import { applyPrepared, getPosition, getStream, prepareBatch } from './apply-entries.ts';
import type { MerkleFrontier } from './merkle-frontier.ts';
import type { ProjectionProgress } from './projection-progress.ts';
import { findLastApplied, loadCheckpoint, ReadTablesOfAnotherVersion } from './read-schema.ts';

/** The checkpoint was moved: another projector, a rebuild, or the unparking of a stream. */
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
export interface ProjectorOptions {
  readonly db: Db;
  readonly leases: Leases;
  readonly follow: FollowLog;
  /** Asked whether it still holds what the tables do. */
  readonly log: LogBehindTables;
  readonly progress: ProjectionProgress;
  /** Told of faults that it recovers from by itself. */
  readonly onFault: (error: unknown) => void;
  /** Told of each batch that was committed: events in it, and how long that took. */
  readonly onApplied?: (events: number, elapsedMs: number) => void;
}

const LEASE = 'projector';
/**
 * Under load a batch is followed by a rest, so that the next one has more to share its cost. A longer
 * one makes receipts wait.
 */
const REST_MS = 25;
/** Load: so many events of late, those of a quarter of a second ago counting a third. */
const LOAD_EVENTS = 100;
const LOAD_MS = 250;
const STANDBY_POLL_MS = 500;
const RENEW_EVERY_MS = 1_000;
/** A process that does nothing for so long in the middle of a batch is frozen: shorter than its lease. */
const STANDS_STILL_MS = 5_000;
const FIRST_BACKOFF_MS = 50;
const MAX_BACKOFF_MS = 2_000;

interface Checkpoint {
  readonly epoch: string;
  readonly position: bigint;
  /** Of the tree there; null: not read yet. */
  readonly merkleFrontier: MerkleFrontier | null;
}

/** Starts the projector: it waits as a standby until it gets the lease. */
export const startProjector = (parts: ProjectorOptions): Projector => {
  const { db, leases, progress } = parts;
  const holder = randomUUID();
  const stopping = new AbortController();
  let parked = new Set<string>();

  const applyBatch = async (checkpoint: Checkpoint, batch: LogBatch): Promise<Checkpoint> => {
    const ready = await prepareBatch('read', batch.entries, parked);
    const applied = await db.transaction().execute(async (transaction) => {
      await moveCheckpoint(transaction, checkpoint, batch);
      // A right that was taken away is announced at once, unless it was ended in between.
      if (batch.entries.some((entry) => isAboutAccess(getStream(entry))))
        await raiseAccessVersion(transaction);
      return applyPrepared(transaction, 'read', ready, checkpoint.merkleFrontier);
    });
    for (const stream of applied.parked) parked.add(stream);
    progress.advance(batch.position, checkpoint.epoch);
    return { ...checkpoint, position: batch.position, merkleFrontier: applied.merkleFrontier };
  };

  /** @param onApplied told of each batch that was committed */
  const runActive = async (lease: Lease, onApplied: () => void): Promise<void> => {
    const held = await loadCheckpoint(db);
    if (held?.modelVersion !== READ_MODEL_VERSION) throw new ReadTablesOfAnotherVersion();
    if (await isAheadOfLog(parts.log, held)) throw new ReadTablesAheadOfLog();
    const rows = await db.selectFrom('read.parked_stream').select('stream').execute();
    parked = new Set(rows.map(({ stream }) => stream));
    let checkpoint: Checkpoint = {
      epoch: held.epoch,
      position: held.position,
      merkleFrontier: null,
    };
    progress.advance(checkpoint.position, checkpoint.epoch);

    let load = 0;
    let appliedAt = performance.now();
    const lost = new AbortController();
    const renewal = renewLease(leases, lease, lost);
    const until = AbortSignal.any([stopping.signal, lost.signal]);
    try {
      await parts.follow(
        checkpoint.position < 0n ? null : checkpoint.position,
        async (batch) => {
          // A repeated event after a resubscription is behind the checkpoint: skip it.
          const news = batch.entries.filter((entry) => getPosition(entry) > checkpoint.position);
          if (batch.position <= checkpoint.position) return;
          const began = performance.now();
          checkpoint = await applyBatch(checkpoint, { ...batch, entries: news });
          const now = performance.now();
          parts.onApplied?.(news.length, now - began);
          onApplied();
          load = load * Math.exp((appliedAt - now) / LOAD_MS) + news.length;
          appliedAt = now;
          if (load >= LOAD_EVENTS) await progress.lingerUnlessAwaited(REST_MS);
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
          await pause(STANDBY_POLL_MS, stopping.signal);
          continue;
        }
        // What gets on is no run of faults: EventStoreDB drops a subscriber that is too slow for a moment.
        const restart = () => {
          backoffMs = FIRST_BACKOFF_MS;
        };
        await runActive(lease, restart).finally(() => giveBack(leases, lease, progress));
      } catch (error) {
        if (!stopping.signal.aborted) parts.onFault(error);
        // The tables were swapped, or a stream of theirs unparked: go on with what is there now.
        if (error instanceof CheckpointMoved) backoffMs = FIRST_BACKOFF_MS;
        await pause(backoffMs, stopping.signal);
        backoffMs = Math.min(2 * backoffMs, MAX_BACKOFF_MS);
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

/** Compares and sets: of two projectors only one advances, and a rebuilt table knows no old one. */
const moveCheckpoint = async (db: Db, from: Checkpoint, to: LogBatch): Promise<void> => {
  // From here on it holds the row that a successor waits for: Postgres ends a transaction in which
  // nothing asks any more.
  const { rows } = await sql`
    update read.checkpoint set position = ${to.position.toString()}::bigint,
      last_applied = coalesce(${findLastApplied(to.entries)}::jsonb, last_applied)
    where id = 1 and epoch = ${from.epoch} and position = ${from.position.toString()}::bigint
    returning set_config('idle_in_transaction_session_timeout', ${`${STANDS_STILL_MS}`}, true)`.execute(
    db,
  );
  if (rows.length !== 1) throw new CheckpointMoved('The checkpoint was moved by another.');
};

const giveBack = async (leases: Leases, lease: Lease, progress: ProjectionProgress) => {
  await leases.release(lease, progress.position(), true).catch(() => undefined);
};

const renewLease = (leases: Leases, lease: Lease, lost: AbortController) => {
  const timer = setInterval(() => {
    leases.renew(lease).then(
      (renewed) => renewed === null && lost.abort(),
      // The database is away: the batches fail too, and the loop starts over.
      () => undefined,
    );
  }, RENEW_EVERY_MS);
  return { stop: () => clearInterval(timer) };
};
