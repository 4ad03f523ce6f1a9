import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { EventLogPositionRefused } from '../../../domain/event-log-errors.ts';
import { isAboutAccess } from '../../../domain/stream-names.ts';
import type { EventLog } from '../../event-log/event-log.ts';
import type { FollowLog, LogBatch } from '../../event-log/follow-log.ts';
import { raiseAccessVersion } from '../access/access-version.ts';
import { COMMIT_UNFLUSHED, type Db } from '../connection/database.ts';
import { pause } from '../connection/pause.ts';
import { notify, type Wakeups } from '../connection/wakeups.ts';
import type { Lease, Leases } from '../leases/leases.ts';
import { isAheadOfLog, type LogBehindTables, ReadTablesAheadOfLog } from './ahead-of-log.ts';
import { applyPrepared, getPosition, getStream, prepareBatch } from './apply-entries.ts';
import type { MerkleFrontier } from './merkle-frontier.ts';
import type { ProjectionProgress, TablesPosition } from './projection-progress.ts';
import { findLastApplied, loadCheckpoint, ReadTablesOfAnotherVersion } from './read-schema.ts';
import { createFindTablesVersion } from './tables-version.ts';

/** Another projector, a rebuild, or unparking a stream moved the checkpoint. */
export class CheckpointMoved extends Error {
  override readonly name = 'CheckpointMoved';
}

export interface Projector {
  parkedStreams(): number;
  stop(): Promise<void>;
}

export interface ProjectorOptions {
  readonly db: Db;
  readonly leases: Leases;
  readonly follow: FollowLog;
  readonly log: LogBehindTables & Pick<EventLog, 'positionOf'>;
  readonly progress: ProjectionProgress;
  /** Emits `projection` when another process may have released the lease; `null` if nothing does. */
  readonly wakeups: Wakeups | null;
  /** Called with faults that the projector recovers from on its own. */
  readonly onFault: (error: unknown) => void;
  /** Called after each commit with the batch's number of events and duration. */
  readonly onApplied?: (events: number, elapsedMs: number) => void;
}

const LEASE = 'projector';
/** Under load, so that more events share the cost of a commit. Longer would delay receipts. */
const LINGER_MS = 25;
/** Load threshold in recent events, which decay exponentially with the time constant `LOAD_MS`. */
const LOAD_EVENTS = 100;
const LOAD_MS = 250;
/** Also at the end of the lease, and when it is released: this finds a holder that was killed. */
const STANDBY_POLL_MS = 2_000;
/** For commands, which no release wakes, and which end soon. */
const UNHEARD_POLL_MS = 500;
/** The clocks of two questions to the database. */
const AFTER_END_MS = 20;
/** A lease outlives several failed renewals. */
const RENEW_EVERY_MS = 3_000;
const RENEW_AGAIN_MS = 500;
/** A process idle this long inside a transaction is frozen. Shorter than its lease. */
const IDLE_TRANSACTION_TIMEOUT_MS = 5_000;
const FIRST_BACKOFF_MS = 50;
const MAX_BACKOFF_MS = 2_000;

const MOVED = 'The checkpoint was moved by another.';

interface Checkpoint extends TablesPosition {
  readonly merkleFrontier: MerkleFrontier | null;
}

/** On standby until it gets the lease, and while the tables are of a newer version. */
export const startProjector = (parts: ProjectorOptions): Projector => {
  const { db, leases, progress } = parts;
  const holder = randomUUID();
  const stopping = new AbortController();
  let parked = new Set<string>();

  const applyBatch = async (checkpoint: Checkpoint, batch: LogBatch): Promise<Checkpoint> => {
    const ready = await prepareBatch('read', batch.entries, parked);
    const changesAccess = batch.entries.some((entry) => isAboutAccess(getStream(entry)));
    const applied = await db.transaction().execute(async (transaction) => {
      await moveCheckpoint(transaction, checkpoint, batch, { waitsForDisk: changesAccess });
      // Usually the writer announces a revoked right. This covers a writer that crashed first.
      if (changesAccess) await raiseAccessVersion(transaction);
      return applyPrepared(transaction, 'read', ready, checkpoint.merkleFrontier);
    });
    for (const stream of applied.parked) parked.add(stream);
    progress.advance(batch.position, checkpoint.epoch);
    return { ...checkpoint, position: batch.position, merkleFrontier: applied.merkleFrontier };
  };

  /** @param isFromLastApplied true if the log has no event at the tables' position */
  const runActive = async (
    lease: Lease,
    onApplied: () => void,
    isFromLastApplied: boolean,
  ): Promise<void> => {
    const startCheckpoint = await loadCheckpoint(db);
    if (startCheckpoint?.tables !== 'same')
      throw new ReadTablesOfAnotherVersion(startCheckpoint?.tables ?? 'other');
    if (await isAheadOfLog(parts.log, startCheckpoint)) throw new ReadTablesAheadOfLog();
    const rows = await db.selectFrom('read.parked_stream').select('stream').execute();
    parked = new Set(rows.map(({ stream }) => stream));
    let checkpoint = await beginEpoch(db, startCheckpoint);
    progress.advance(checkpoint.position, checkpoint.epoch);
    const lastApplied = isFromLastApplied ? startCheckpoint.lastApplied : null;
    let seenTo =
      (lastApplied && (await parts.log.positionOf(lastApplied))) ?? startCheckpoint.position;

    let load = 0;
    let appliedAt = performance.now();
    const lost = new AbortController();
    const renewal = renewLease(leases, lease, lost);
    const until = AbortSignal.any([stopping.signal, lost.signal]);
    try {
      await parts.follow(
        seenTo < 0n ? null : seenTo,
        async (batch) => {
          // After a resubscription, events repeat. Skip those that were applied.
          const news = batch.entries.filter((entry) => getPosition(entry) > seenTo);
          if (batch.position <= seenTo) return;
          const began = performance.now();
          const isAhead = checkpoint.position > batch.position;
          const position = isAhead ? checkpoint.position : batch.position;
          checkpoint = await applyBatch(checkpoint, { entries: news, position });
          seenTo = batch.position;
          const now = performance.now();
          parts.onApplied?.(news.length, now - began);
          onApplied();
          load = load * Math.exp((appliedAt - now) / LOAD_MS) + news.length;
          appliedAt = now;
          if (load >= LOAD_EVENTS) await progress.lingerUnlessAwaited(LINGER_MS);
        },
        progress.caughtUp,
        until,
      );
    } finally {
      renewal.stop();
    }
  };

  const pollMs = parts.wakeups === null ? UNHEARD_POLL_MS : STANDBY_POLL_MS;
  const standBy = async (ms = pollMs): Promise<void> => {
    const woken = new AbortController();
    const wake = () => woken.abort();
    parts.wakeups?.once('projection', wake);
    await pause(Math.min(ms, pollMs), AbortSignal.any([stopping.signal, woken.signal]));
    parts.wakeups?.off('projection', wake);
  };

  const findTablesVersion = createFindTablesVersion(db);
  const run = async (): Promise<void> => {
    let backoffMs = FIRST_BACKOFF_MS;
    let isSuperseded = false;
    let isFromLastApplied = false;
    while (!stopping.signal.aborted) {
      try {
        // A projector of the newer version needs the lease.
        if ((await findTablesVersion()) === 'newer') {
          if (!isSuperseded) parts.onFault(new ReadTablesOfAnotherVersion('newer'));
          isSuperseded = true;
          progress.caughtUp();
          await standBy();
          continue;
        }
        isSuperseded = false;
        const lease = await leases.take(LEASE, holder);
        if (lease === null) {
          // A standby counts as caught up: another process fills the tables.
          progress.caughtUp();
          await standBy((await leases.remainingMs(LEASE)) + AFTER_END_MS);
          continue;
        }
        // Progress resets the backoff: EventStoreDB briefly drops subscribers that are too slow.
        const restart = () => {
          backoffMs = FIRST_BACKOFF_MS;
        };
        await runActive(lease, restart, isFromLastApplied).finally(() =>
          releaseLease(parts, lease),
        );
      } catch (error) {
        if (!stopping.signal.aborted) parts.onFault(error);
        // A rebuild swapped the tables, or a stream was unparked: retry with the new state.
        if (error instanceof CheckpointMoved) backoffMs = FIRST_BACKOFF_MS;
        isFromLastApplied = error instanceof EventLogPositionRefused;
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

/** A former projector can no longer advance, and what it reported about its own epoch is void. */
const beginEpoch = async (db: Db, from: TablesPosition): Promise<Checkpoint> => {
  const epoch = randomUUID();
  const { rows } = await sql`
    update read.checkpoint set epoch = ${epoch}
    where ${isAt(from)} returning id`.execute(db);
  if (rows.length !== 1) throw new CheckpointMoved(MOVED);
  return { epoch, position: from.position, merkleFrontier: null };
};

/**
 * Compare-and-set: only one of two projectors advances, and never on rebuilt tables. A crash of
 * Postgres may lose the latest commits that do not wait for the disk: they are applied again from the log.
 */
const moveCheckpoint = async (
  db: Db,
  from: Checkpoint,
  to: LogBatch,
  { waitsForDisk }: { readonly waitsForDisk: boolean },
): Promise<void> => {
  // We lock the row that a successor waits for, so Postgres must end the transaction if this process freezes.
  const { rows } = await sql`
    update read.checkpoint set position = ${to.position.toString()}::bigint,
      last_applied = coalesce(${findLastApplied(to.entries)}::jsonb, last_applied)
    where ${isAt(from)}
    returning set_config('idle_in_transaction_session_timeout', ${`${IDLE_TRANSACTION_TIMEOUT_MS}`}, true),
      ${waitsForDisk ? sql`null` : COMMIT_UNFLUSHED}`.execute(db);
  if (rows.length !== 1) throw new CheckpointMoved(MOVED);
};

const isAt = ({ epoch, position }: TablesPosition) =>
  sql`id = 1 and epoch = ${epoch} and position = ${position.toString()}::bigint`;

const releaseLease = async ({ db, leases, progress }: ProjectorOptions, lease: Lease) => {
  try {
    await leases.release(lease, progress.position(), true);
    await notify(db, ['projection']);
  } catch {
    // The lease ends by time.
  }
};

const renewLease = (leases: Leases, lease: Lease, lost: AbortController) => {
  const renewNext = (ms: number): NodeJS.Timeout => setTimeout(renew, ms);
  const renew = async (): Promise<void> => {
    let pauseMs = RENEW_EVERY_MS;
    try {
      if ((await leases.renew(lease)) === null) lost.abort();
    } catch {
      // The database is unavailable: batches fail as well, and the loop restarts.
      pauseMs = RENEW_AGAIN_MS;
    }
    if (!isOver) timer = renewNext(pauseMs);
  };
  let isOver = false;
  let timer = renewNext(RENEW_EVERY_MS);
  return {
    stop() {
      isOver = true;
      clearTimeout(timer);
    },
  };
};
