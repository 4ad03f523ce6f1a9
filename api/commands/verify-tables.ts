import {
  courseHash,
  fingerprintsHash,
  type HashedContent,
  type RecordDigest,
} from './record-digest.ts';
import type { Reporter } from './reporter.ts';

/** A record as the read tables hold it. */
export interface RecordInTables extends HashedContent {
  readonly stream: string;
  /** Revision of the last event that is in the row. */
  readonly revision: bigint;
  readonly status: 'live' | 'voided';
  readonly version: number;
  readonly stamp: string | null;
  readonly duplicateOf: string | null;
  readonly toldApartFrom: readonly string[];
  readonly attendant: string | null;
  readonly certifier: string | null;
  readonly fingerprints: unknown;
}

/** The read tables, for comparison with the log. */
export interface ReadTablesToVerify {
  /** Waits a little until they have passed a position; `other`: none of this version. */
  standing(position: bigint): Promise<'reached' | 'behind' | 'other'>;
  /** Whether they are further than the log, or were made from events that it does not hold. */
  areAheadOfLog(): Promise<boolean>;
  parkedStreams(): Promise<readonly string[]>;
  records(): AsyncIterable<RecordInTables>;
}

/** What the log says of a stream. */
export interface StreamInLog {
  readonly revision: bigint;
  /** State of a birth record by hashes; null for other streams. */
  readonly record: RecordDigest | null;
  /** Its state cannot be told: an event of it does not fit its schema. */
  readonly isUnreadable: boolean;
}

/** What was read of the log, and what is asked of it once more. */
interface LogAsRead {
  readonly streams: ReadonlyMap<string, StreamInLog>;
  /** Position of the last event read. */
  readonly head: bigint;
  /** Revision of a stream's last event as of now; -1: it holds none. */
  lastRevision(stream: string): Promise<bigint>;
}

/** Progress is reported after so many. */
const ROWS_BETWEEN = 500;

const WITHOUT_RECORD = 'The read tables hold a record that the log does not hold. Run `rebuild`.';

const STANDING = {
  behind:
    'The read tables are behind the log and were not compared. Run `verify` again when they have caught up.',
  other:
    'There are no read tables of this version, so they were not compared. Run `rebuild`, then `verify` again.',
};

/**
 * Compares every record's row with what its events say. Rows may change meanwhile: one that has
 * seen later events than were read is left to the next time, if the log holds these by now.
 * @param log what was read of it; `head` is the position of the last event read
 * @returns whether they were compared
 */
export const verifyTables = async (
  tables: ReadTablesToVerify,
  log: LogAsRead,
  note: (stream: string, problem: string) => void,
  { report, progress }: Reporter,
): Promise<boolean> => {
  if (await tables.areAheadOfLog())
    note(
      '$all',
      'Events are missing: the read tables are ahead of the log. Restore the log from a backup, or run `rebuild` if this log is the right one.',
    );
  const standing = await tables.standing(log.head);
  if (standing !== 'reached') {
    report(STANDING[standing]);
    return false;
  }

  const parked = new Set(await tables.parkedStreams());
  const isComparable = (stream: string, { isUnreadable }: StreamInLog) =>
    !isUnreadable && !parked.has(stream);
  const found = new Set<string>();
  const total = [...log.streams.values()].filter(({ record }) => record !== null).length;
  for await (const row of tables.records()) {
    found.add(row.stream);
    if (found.size % ROWS_BETWEEN === 0) {
      const done = { done: found.size, total: Math.max(total, found.size), unit: 'records' };
      progress({ work: 'Comparing records', ...done, isEstimate: false });
    }
    const seen = log.streams.get(row.stream);
    if (row.revision > (seen?.revision ?? -1n)) {
      const problem = await problemAhead(row, log);
      if (problem !== null) note(row.stream, problem);
    } else if (seen === undefined || seen.record === null) {
      if (seen?.isUnreadable !== true) note(row.stream, WITHOUT_RECORD);
    } else if (isComparable(row.stream, seen))
      for (const part of differingParts(row, seen.record))
        note(
          row.stream,
          `The ${part} in the read tables is not what the events say. Run \`rebuild\`.`,
        );
  }
  for (const [stream, seen] of log.streams) {
    if (parked.has(stream) && !seen.isUnreadable)
      note(
        stream,
        'The stream is parked: its later events are not in the read tables. Fix the cause, then run `unpark`.',
      );
    if (seen.record !== null && isComparable(stream, seen) && !found.has(stream))
      note(stream, 'The read tables do not hold the record. Run `rebuild`.');
  }
  return true;
};

/** What is wrong with a row that is ahead of its stream as read; null: events came meanwhile. */
const problemAhead = async (row: RecordInTables, log: LogAsRead): Promise<string | null> => {
  const last = await log.lastRevision(row.stream);
  if (last >= row.revision) return null;
  return last < 0n
    ? WITHOUT_RECORD
    : `Events are missing: the read tables hold revision ${row.revision} of the stream, which ends with ${last}. Restore the log from a backup.`;
};

const haveSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one));

const differingParts = (row: RecordInTables, seen: RecordDigest): readonly string[] => {
  const claims: readonly (readonly [part: string, isSame: boolean])[] = [
    ['status', row.status === seen.status],
    ['version', row.version === seen.version],
    ['stamp', row.stamp === seen.stamp],
    ['duplicate flag', row.duplicateOf === seen.duplicateOf],
    ['list of records told apart from it', haveSame(row.toldApartFrom, seen.toldApartFrom)],
    ['attendant', row.attendant === seen.attendant],
    ['certifier', row.certifier === seen.certifier],
    ['course of care', courseHash(row) === seen.course],
    ['list of fingerprints', fingerprintsHash(row.fingerprints) === seen.fingerprints],
  ];
  return claims.filter(([, isSame]) => !isSame).map(([part]) => part);
};
