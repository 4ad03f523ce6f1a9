import { setTimeout as sleep } from 'node:timers/promises';
import type { EventLog } from '../../event-log/event-log.ts';
import type { Db } from '../connection/database.ts';
import { loadCheckpoint, type ReadCheckpoint } from './read-schema.ts';

/** The read tables hold what the event log does not, so nothing may be added to them. */
export class ReadTablesAheadOfLog extends Error {
  override readonly name = 'ReadTablesAheadOfLog';
  constructor() {
    super(
      'The read tables hold events that the event log does not hold, as after the restore of an older log. Check DATABASE_URL and EVENTSTORE_URL, or restore the newer log; if this log is the right one, `operator rebuild` builds the tables again from it.',
    );
  }
}

/** What is asked of the log about it. */
export type LogBehindTables = Pick<EventLog, 'end' | 'holds'>;

/** How far read tables are. */
export type TablesPlace = Pick<ReadCheckpoint, 'position' | 'lastApplied'>;

const LOOKS = 3;
const PAUSE_MS = 250;

/**
 * Whether read tables hold what the log does not: their position lies behind its end, or it lacks
 * the last event of ours that they hold. The position alone tells it only until the log has grown
 * beyond; and it may well lie behind our last event, because it moves over those of others, too.
 * @param place read from the tables before this is asked: the log was at least there then
 * @throws EventLogUnavailable
 */
export const isAheadOfLog = async (log: LogBehindTables, place: TablesPlace): Promise<boolean> => {
  const { position, lastApplied } = place;
  // A node that is followed may show an event some milliseconds before the leader does.
  for (let looks = 1; ; looks += 1) {
    const isHeld = lastApplied === null || (await log.holds(lastApplied));
    if (isHeld && position <= (await log.end())) return false;
    if (looks === LOOKS) return true;
    await sleep(PAUSE_MS);
  }
};

/** The same of the live read tables, where there are any. @throws EventLogUnavailable */
export const areTablesAheadOfLog = async (db: Db, log: LogBehindTables): Promise<boolean> => {
  const held = await loadCheckpoint(db);
  return held !== null && (await isAheadOfLog(log, held));
};
