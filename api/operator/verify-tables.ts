import type { Reporter } from '../commands/reporter.ts';
import {
  type HashedContent,
  hashCourse,
  hashFingerprints,
  type RecordDigest,
} from './record-digest.ts';
import type { StreamHead, StreamHeads } from './stream-heads.ts';

export interface RecordInTables extends HashedContent {
  readonly stream: string;
  readonly revision: bigint;
  readonly status: 'live' | 'voided';
  readonly version: number;
  readonly stamp: string | null;
  readonly duplicateOf: string | null;
  readonly dismissedMatches: readonly string[];
  readonly attendant: string | null;
  readonly certifier: string | null;
  readonly fingerprints: unknown;
}

export interface ReadTablesToVerify {
  /** Waits briefly; `other` if there are no tables of this version. */
  standing(position: bigint): Promise<'reached' | 'behind' | 'other'>;
  /** Also true if the tables were made from events that the log lacks. */
  areAheadOfLog(): Promise<boolean>;
  parkedStreams(): Promise<readonly string[]>;
  /** One page at a time. */
  records(): AsyncIterable<readonly RecordInTables[]>;
  holding(streams: readonly string[]): Promise<readonly string[]>;
}

interface LogAsRead {
  readonly streams: Pick<StreamHeads, 'find' | 'pages' | 'records'>;
  readonly head: bigint;
  /** -1 if the stream has no event. */
  lastRevision(stream: string): Promise<bigint>;
}

const WITHOUT_RECORD = 'The read tables hold a record that the log does not hold. Run `rebuild`.';

const STANDING = {
  behind:
    'The read tables are behind the log and were not compared. Run `verify` again when they have caught up.',
  other:
    'There are no read tables of this version, so they were not compared. Run `rebuild`, then `verify` again.',
};

/**
 * Rows may change while it runs: skips a row with later events than were read if the log has them by
 * now.
 * @returns true if the tables were compared
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
  const isComparable = (stream: string, { isUnreadable }: StreamHead) =>
    !isUnreadable && !parked.has(stream);
  const compareRow = async (row: RecordInTables, seen: StreamHead | undefined) => {
    if (row.revision > (seen?.revision ?? -1n)) {
      const problem = await findProblemAhead(row, log);
      if (problem !== null) note(row.stream, problem);
    } else if (seen === undefined || seen.record === null) {
      if (seen?.isUnreadable !== true) note(row.stream, WITHOUT_RECORD);
    } else if (isComparable(row.stream, seen))
      for (const part of listDifferingParts(row, seen.record))
        note(
          row.stream,
          `The ${part} in the read tables is not what the events say. Run \`rebuild\`.`,
        );
  };
  const total = log.streams.records();
  let done = 0;
  for await (const rows of tables.records()) {
    const seen = await log.streams.find(rows.map(({ stream }) => stream));
    for (const row of rows) await compareRow(row, seen.get(row.stream));
    done += rows.length;
    const reached = { done, total: Math.max(total, done), unit: 'records' };
    progress({ work: 'Comparing records', ...reached, isEstimate: false });
  }
  for (const [stream, seen] of await log.streams.find([...parked]))
    if (!seen.isUnreadable)
      note(
        stream,
        'The stream is parked: its later events are not in the read tables. Fix the cause, then run `unpark`.',
      );
  for await (const page of log.streams.pages()) {
    const streams = [...page]
      .filter(([stream, seen]) => seen.record !== null && isComparable(stream, seen))
      .map(([stream]) => stream);
    const streamsInTables = new Set(await tables.holding(streams));
    for (const stream of streams)
      if (!streamsInTables.has(stream))
        note(stream, 'The read tables do not hold the record. Run `rebuild`.');
  }
  return true;
};

/** `null` if events were appended since. */
const findProblemAhead = async (row: RecordInTables, log: LogAsRead): Promise<string | null> => {
  const last = await log.lastRevision(row.stream);
  if (last >= row.revision) return null;
  return last < 0n
    ? WITHOUT_RECORD
    : `Events are missing: the read tables hold revision ${row.revision} of the stream, which ends with ${last}. Restore the log from a backup.`;
};

const haveSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one));

const listDifferingParts = (row: RecordInTables, seen: RecordDigest): readonly string[] => {
  const claims: readonly (readonly [part: string, isSame: boolean])[] = [
    ['status', row.status === seen.status],
    ['version', row.version === seen.version],
    ['stamp', row.stamp === seen.stamp],
    ['duplicate flag', row.duplicateOf === seen.duplicateOf],
    ['list of dismissed matches', haveSame(row.dismissedMatches, seen.dismissedMatches)],
    ['attendant', row.attendant === seen.attendant],
    ['certifier', row.certifier === seen.certifier],
    ['course of care', hashCourse(row) === seen.course],
    ['list of fingerprints', hashFingerprints(row.fingerprints) === seen.fingerprints],
  ];
  return claims.filter(([, isSame]) => !isSame).map(([part]) => part);
};
