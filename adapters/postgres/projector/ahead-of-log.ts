import { setTimeout as sleep } from 'node:timers/promises';
import { EventLogUnconfirmed } from '../../../domain/event-log-errors.ts';
import type { ConfirmLog, EventLog } from '../../event-log/event-log.ts';
import { LogOfAnotherRegistry, LogWithoutRegistry } from '../../event-log/registry-identity.ts';
import { loadRegistryState } from '../../event-log/registry-state.ts';
import type { Db } from '../connection/database.ts';
import { loadCheckpoint, type ReadCheckpoint } from './read-schema.ts';

/** The read tables contain events that the event log lacks. Adding more would mix two histories. */
export class ReadTablesAheadOfLog extends Error {
  override readonly name = 'ReadTablesAheadOfLog';
  constructor() {
    super(
      'The read tables hold events that the event log does not hold, as after the restore of an older log. Check DATABASE_URL and EVENTSTORE_URL, or restore the newer log; if this log is the right one, `birth-registry rebuild` builds the tables again from it.',
    );
  }
}

export type LogBehindTables = Pick<EventLog, 'end' | 'holds'>;

export type TablesPlace = Pick<ReadCheckpoint, 'position' | 'lastApplied'>;

const MAX_ATTEMPTS = 3;
const RETRY_INTERVAL_MS = 250;

/**
 * True if read tables contain events that the log lacks: their position is past its end, or their
 * last applied event is missing from it. Once an older log has grown past the position, only the
 * missing event reveals it. The position alone can exceed our last event, because it also advances
 * over other applications' events.
 * @param place read before this call, so a healthy log already reached it
 * @throws EventLogUnavailable
 */
export const isAheadOfLog = async (log: LogBehindTables, place: TablesPlace): Promise<boolean> => {
  const { position, lastApplied } = place;
  // A follower node may show an event some milliseconds before the leader does.
  for (let attempt = 1; ; attempt += 1) {
    const isInLog = lastApplied === null || (await log.holds(lastApplied));
    if (isInLog && position <= (await log.end())) return false;
    if (attempt === MAX_ATTEMPTS) return true;
    await sleep(RETRY_INTERVAL_MS);
  }
};

/** Checks the live read tables. Returns false if there are none. @throws EventLogUnavailable */
export const areTablesAheadOfLog = async (db: Db, log: LogBehindTables): Promise<boolean> => {
  const checkpoint = await loadCheckpoint(db);
  return checkpoint !== null && (await isAheadOfLog(log, checkpoint));
};

/** A database without read tables confirms any log. */
export const createConfirmLog = (db: Db): ConfirmLog => {
  let epoch: string | null = null;
  let acceptedLoss: string | null = null;
  return async (log, last) => {
    const checkpoint = await loadCheckpoint(db);
    if (checkpoint === null) return;
    // A log that has our last event also has our registry.
    if (checkpoint.lastApplied === null) await requireRegistry(log, checkpoint.registryId);
    const isLost = last !== null && last.id !== acceptedLoss && !(await log.holds(last));
    if (await isAheadOfLog(log, checkpoint)) throw refuse(new ReadTablesAheadOfLog());
    if (isLost && epoch === checkpoint.epoch) throw refuse(new ReadTablesAheadOfLog());
    // A rebuild from this log has accepted the loss.
    if (isLost) acceptedLoss = last.id;
    epoch = checkpoint.epoch;
  };
};

const requireRegistry = async (
  { readStream }: Parameters<ConfirmLog>[0],
  registryId: string,
): Promise<void> => {
  const registry = await loadRegistryState(readStream);
  if (registry === null) throw refuse(new LogWithoutRegistry());
  if (registry.registryId !== registryId) throw refuse(new LogOfAnotherRegistry());
};

const refuse = (cause: Error): EventLogUnconfirmed =>
  new EventLogUnconfirmed(cause.message, { cause });
