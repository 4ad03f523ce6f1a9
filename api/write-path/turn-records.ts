import {
  type CourseOutcome,
  type CourseToDecide,
  decideQueued,
} from '../../domain/course-of-care/decide-queued.ts';
import { type HeldRecord, type Ledger, newLedger } from '../../domain/course-of-care/ledger.ts';
import { acceptedEntry } from '../../domain/course-of-care/receipt-entry.ts';
import {
  afterCourse,
  asOfCourse,
  ownEvents,
  type StoredRecordEvent,
} from '../../domain/course-of-care/resume.ts';
import { noRecord } from '../../domain/course-of-care/state.ts';
import type {
  AppendContext,
  AppendResult,
  ExpectedRevision,
  NewEvent,
} from '../../domain/event-log.ts';
import type { AcceptedEntry, RejectedEntry } from '../../domain/ingestion/events.ts';
import type { QueueEntry } from '../../domain/ingestion/ports.ts';
import type { QueuedCourse } from '../../domain/ingestion/queued-course.ts';
import { recordStream } from '../../domain/stream-names.ts';
import { TurnLost, type TurnParts } from './turn-parts.ts';

/** Records that a ledger may hold before it is let go. */
const LARGE_LEDGER = 10_000;

/** A course of an ingestion, ready to be decided. */
export type CourseInTurn = CourseToDecide & {
  readonly correlationId: string;
  readonly keyId: string;
};

/** The receipt entry of a course whose events, if any, are in the log. */
export interface WrittenCourse {
  readonly course: CourseInTurn;
  readonly accepted: AcceptedEntry | null;
  readonly rejected: RejectedEntry | null;
}

/** The records of a practice as one turn reads and writes them. */
export interface TurnRecords {
  readonly append: (
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    context: AppendContext,
  ) => Promise<AppendResult>;
  coursesOf(entry: QueueEntry, queued: readonly QueuedCourse[]): readonly CourseInTurn[];
  /**
   * Decides and appends courses in the order given.
   * @param isInDoubt an earlier run may have written some of them
   * @throws TurnLost when a record has moved under the turn
   */
  write(courses: readonly CourseInTurn[], isInDoubt: boolean): Promise<readonly WrittenCourse[]>;
  isLarge(): boolean;
  /** Drops what is in memory: it will be loaded again. */
  forget(): void;
}

/** @see TurnRecords */
export const turnRecordsOf = (
  practiceId: string,
  parts: TurnParts,
  append: TurnRecords['append'],
): TurnRecords => {
  let ledger = newLedger();

  const appendCourse = async (course: CourseInTurn, outcome: CourseOutcome): Promise<void> => {
    const { ingestionId, position } = course.mark;
    const appended = await append(
      course.stream,
      outcome.before.expected,
      outcome.events.map((event, step) => ({ id: parts.idOf(ingestionId, position, step), event })),
      {
        correlationId: course.correlationId,
        causationId: `${ingestionId}/${position}`,
        actor: { kind: 'key', id: course.keyId },
      },
    );
    if (appended.kind === 'wrong-revision')
      throw new TurnLost('A record has moved since it was loaded.');
    parts.afterStep('course-appended');
  };

  return {
    append,
    coursesOf: (entry, queued) =>
      queued.map((one) => {
        const submissionUuid = parts.idOf(entry.ingestionId, one.position);
        const recordHash = one.kind === 'rejected' ? null : one.recordHash;
        return {
          queued: one,
          stream: recordStream(recordHash ?? parts.submissionHash(submissionUuid)),
          submissionUuid,
          practiceId,
          keyKind: entry.keyKind,
          source: 'fhir_push',
          mark: { ingestionId: entry.ingestionId, position: one.position },
          correlationId: entry.correlationId,
          keyId: entry.keyId,
        };
      }),

    async write(courses, isInDoubt) {
      const log = isInDoubt ? await loadFromLog(courses, parts) : null;
      if (log === null) await loadFromReadTables(courses, ledger, parts);
      await loadFingerprintHolders(courses, practiceId, ledger, log, parts);
      parts.afterStep('records-loaded');
      const order = newWriteOrder();
      const written = courses.map((course): WrittenCourse => {
        const outcome =
          log === null ? decideQueued(course, ledger) : decideAgain(course, log, ledger);
        if (outcome.events.length > 0) order.add(course, outcome, appendCourse);
        return { course, accepted: outcome.accepted, rejected: outcome.rejected };
      });
      await order.done();
      return written;
    },

    isLarge: () => ledger.size() > LARGE_LEDGER,

    forget: () => {
      ledger = newLedger();
    },
  };
};

/** What the log holds of the records that a chunk touches, with what is decided meanwhile. */
type LogOfChunk = ReadonlyMap<string, StoredRecordEvent[]>;

const loadFromLog = async (
  courses: readonly CourseInTurn[],
  parts: TurnParts,
): Promise<LogOfChunk> => {
  const streams = [...new Set(courses.map(({ stream }) => stream))];
  return new Map(
    await Promise.all(
      streams.map(
        async (stream): Promise<[string, StoredRecordEvent[]]> => [
          stream,
          [...(await parts.readStream(stream))] as StoredRecordEvent[],
        ],
      ),
    ),
  );
};

const loadFromReadTables = async (
  courses: readonly CourseInTurn[],
  ledger: Ledger,
  parts: TurnParts,
): Promise<void> => {
  const streams = new Set(
    courses
      .filter(({ queued, stream }) => queued.kind !== 'rejected' && !ledger.record(stream))
      .map(({ stream }) => stream),
  );
  if (streams.size === 0) return;
  const found = await parts.loadRecords([...streams]);
  for (const stream of streams) ledger.hold(stream, found.get(stream) ?? NOT_RECORDED);
};

const NOT_RECORDED: HeldRecord = { state: noRecord, expected: 'no-stream', age: null };

const loadFingerprintHolders = async (
  courses: readonly CourseInTurn[],
  practiceId: string,
  ledger: Ledger,
  log: LogOfChunk | null,
  parts: TurnParts,
): Promise<void> => {
  const fingerprints = new Set(
    courses
      .flatMap(({ queued }) => (queued.kind === 'course' ? queued.fingerprints : []))
      .filter((fingerprint) => !ledger.knowsFingerprint(fingerprint)),
  );
  if (fingerprints.size === 0) return;
  const found = await parts.loadFingerprintHolders(practiceId, [...fingerprints]);
  // Records of a chunk in doubt are shown as of each course, not as the tables have them by now.
  const inDoubt = new Set(
    [...(log?.values() ?? [])].flatMap((events) =>
      events.map(({ event }) => event.data.submissionUuid),
    ),
  );
  ledger.holdFingerprints(
    [...fingerprints],
    found.filter(({ submissionUuid }) => !inDoubt.has(submissionUuid)),
  );
};

/**
 * Decides a course of a chunk that an earlier run may have written in part: an outcome that is in
 * the log stands; any other is decided as if that run had not come further than here.
 */
const decideAgain = (course: CourseInTurn, log: LogOfChunk, ledger: Ledger): CourseOutcome => {
  for (const [stream, events] of log) ledger.hold(stream, asOfCourse(events, course.mark));
  const events = log.get(course.stream) ?? [];
  const own = ownEvents(events, course.mark);
  const state = afterCourse(events, course.mark);
  if (own.length > 0 && state.status !== 'none') {
    const accepted = acceptedEntry(course.queued.reference, own, state);
    return { accepted, rejected: null, events: [], before: NOT_RECORDED };
  }
  const outcome = decideQueued(course, ledger);
  const { expected } = outcome.before;
  const next = expected === 'no-stream' ? 0n : expected + 1n;
  for (const [step, event] of outcome.events.entries())
    events.push({ ...pendingEvent(course, event), revision: next + BigInt(step) });
  return outcome;
};

/** An event that was just decided, in the shape of a stored one; it has no place in the log yet. */
const pendingEvent = (
  course: CourseInTurn,
  event: StoredRecordEvent['event'],
): StoredRecordEvent => ({
  id: '',
  stream: course.stream,
  revision: 0n,
  position: 0n,
  event,
  metadata: {
    schemaVersion: 1,
    correlationId: course.correlationId,
    causationId: null,
    actor: { kind: 'key', id: course.keyId },
    recordedAt: '',
  },
});

/**
 * The order of the appends: those that share a record or a fingerprint wait for each other, the
 * rest go side by side. So nothing is in the log before what it was decided on.
 */
const newWriteOrder = () => {
  const last = new Map<string, Promise<void>>();
  const all: Promise<void>[] = [];
  return {
    add(
      course: CourseInTurn,
      outcome: CourseOutcome,
      append: (course: CourseInTurn, outcome: CourseOutcome) => Promise<void>,
    ): void {
      const { state } = outcome.before;
      const shared = new Set([
        course.stream,
        ...(state.status === 'none' ? [] : state.fingerprints),
        ...(course.queued.kind === 'course' ? course.queued.fingerprints : []),
      ]);
      const before = [...shared].flatMap((key) => last.get(key) ?? []);
      const write = Promise.all(before).then(() => append(course, outcome));
      for (const key of shared) last.set(key, write);
      all.push(write);
    },
    /** Every append has ended. @throws the first fault of any */
    async done(): Promise<void> {
      const ended = await Promise.allSettled(all);
      const fault = ended.find(({ status }) => status === 'rejected');
      if (fault?.status === 'rejected') throw fault.reason;
    },
  };
};
