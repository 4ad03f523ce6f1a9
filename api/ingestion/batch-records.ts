import { listFingerprints } from '../../domain/birth-record/duplicates/fingerprint.ts';
import {
  eventsOfItem,
  type StoredRecordEvent,
  stateAfterItem,
  stateSeenByItem,
} from '../../domain/birth-record/replay.ts';
import { noRecord } from '../../domain/birth-record/state.ts';
import {
  createWorkingSet,
  NEW_RECORD,
  type WorkingSet,
} from '../../domain/birth-record/working-set.ts';
import type { Actor, AppendContext, AppendToStream } from '../../domain/event-log.ts';
import { providerStream } from '../../domain/stream-names.ts';
import {
  decideItem,
  type ItemOutcome,
  type SubmissionItem,
  toSubmissionItem,
} from '../../domain/submission/decide-item.ts';
import type { AcceptedEntry, RejectedEntry } from '../../domain/submission/events.ts';
import type { QueueEntry } from '../../domain/submission/ports.ts';
import type { QueuedItem } from '../../domain/submission/queued-item.ts';
import { toAcceptedEntry } from '../../domain/submission/receipt.ts';
import { createYielder } from '../process/yielder.ts';
import { ConcurrentModification } from '../writes/practice-lease.ts';
import { createBatchProviders, listProviderIds, type ProviderChange } from './batch-providers.ts';
import { loadFingerprintHolders, loadLedger, loadRecords } from './load-ledger.ts';
import type { WorkerPorts } from './worker-ports.ts';

/**
 * Records that a ledger may hold before it is dropped. Dropping it waits until the read tables show all
 * of them, so it should be rare; a larger one only costs memory.
 */
const LARGE_LEDGER = 5_000;

/** A course of an ingestion, ready to be decided. */
export type CourseInBatch = SubmissionItem & {
  readonly correlationId: string;
  readonly actor: Actor;
};

/** A course that was decided, with what has to be appended for it. */
export interface PlannedCourse {
  readonly course: CourseInBatch;
  readonly outcome: ItemOutcome;
  readonly changes: readonly ProviderChange[];
}

/** The receipt entry of a course whose events, if any, are in the log. */
export interface WrittenCourse {
  readonly course: CourseInBatch;
  readonly accepted: AcceptedEntry | null;
  readonly rejected: RejectedEntry | null;
}

/** The records of a practice as one turn reads and writes them. */
export interface BatchRecords {
  readonly append: AppendToStream;
  coursesOf(entry: QueueEntry, queued: readonly QueuedItem[]): readonly CourseInBatch[];
  /**
   * What each of these groups of courses shares with others: records and fingerprints, theirs and
   * those that their records hold now.
   */
  keysOf(courses: readonly (readonly CourseInBatch[])[]): Promise<readonly ReadonlySet<string>[]>;
  /**
   * Decides courses in the order given, after all that were decided in this turn before. What was
   * decided is to be written next, or forgotten with everything else.
   * @param mayBePartiallyWritten an earlier run may have written some of them
   */
  plan(
    courses: readonly CourseInBatch[],
    mayBePartiallyWritten: boolean,
  ): Promise<readonly PlannedCourse[]>;
  /**
   * Appends what was decided, in its order.
   * @throws PracticeLeaseLost when a record has moved under the turn
   */
  write(planned: readonly PlannedCourse[]): Promise<readonly WrittenCourse[]>;
  isLarge(): boolean;
  /** Drops what is in memory: it will be loaded again. */
  forget(): void;
}

/**
 * @param renew makes the turn last for the next appends
 * @see BatchRecords
 */
export const createBatchRecords = (
  registry: WorkerPorts,
  append: BatchRecords['append'],
  renew: () => Promise<void>,
): BatchRecords => {
  let ledger = createWorkingSet();
  const providers = createBatchProviders(registry);

  // A record never stands in the log before the providers that it names.
  const appendCourse = async ({ course, outcome, changes }: PlannedCourse): Promise<void> => {
    if (changes.length > 0) await Promise.all(changes.map((one) => appendProvider(course, one)));
    const { ingestionId, position } = course.mark;
    const appended = await append(
      course.stream,
      outcome.before.expectedRevision,
      outcome.events.map((event, step) => ({
        id: registry.idOf(ingestionId, position, step),
        event,
      })),
      contextOf(course),
    );
    if (appended.kind === 'wrong-revision')
      throw new ConcurrentModification('A record has moved since it was loaded.');
    registry.afterStep('course-appended');
  };

  const appendProvider = async (course: CourseInBatch, change: ProviderChange): Promise<void> => {
    const { stream, expected, events } = change;
    const { ingestionId, position } = course.mark;
    const appended = await append(
      stream,
      expected,
      events.map((event, step) => ({
        id: registry.idOf(ingestionId, position, stream, step),
        event,
      })),
      contextOf(course),
    );
    if (appended.kind === 'wrong-revision')
      throw new ConcurrentModification('A provider has moved since it was loaded.');
    registry.afterStep('provider-appended');
  };

  return {
    append,
    coursesOf: (entry, queued) => {
      const names = { idOf: registry.idOf, submissionHash: registry.identity.submissionHash };
      return queued.map((one) => ({
        ...toSubmissionItem(one, entry, names),
        correlationId: entry.correlationId,
        actor: entry.actor,
      }));
    },

    async keysOf(courses) {
      await loadRecords(courses.flat(), ledger, registry.hotReads);
      return courses.map((some) => new Set(some.flatMap((course) => sharedKeys(course, ledger))));
    },

    async plan(courses, mayBePartiallyWritten) {
      const log = mayBePartiallyWritten ? await loadFromLog(courses, registry) : null;
      const [survivors] = await Promise.all([
        providers.load(courses, mayBePartiallyWritten),
        log === null
          ? loadLedger(courses, ledger, registry.hotReads)
          : loadUncertainHolders(courses, log, ledger, registry),
      ]);
      ledger.putSurvivors(survivors);
      registry.afterStep('records-loaded');
      return courses.map((course): PlannedCourse => {
        const outcome =
          log === null ? decideItem(course, ledger) : decideAgain(course, log, ledger);
        // A course that was refused, or written by an earlier run, tells nothing new.
        return {
          course,
          outcome,
          changes: outcome.events.length > 0 ? providers.decide(course) : [],
        };
      });
    },

    async write(planned) {
      // Reading and deciding may have taken most of the lease, where much of it was in doubt.
      await renew();
      const order = newWriteOrder(planned);
      const rest = createYielder();
      for (const one of planned) {
        if (one.outcome.events.length === 0) continue;
        order.add(one, appendCourse);
        await rest();
      }
      await order.done();
      return planned.map(
        ({ course, outcome: { accepted, rejected } }): WrittenCourse => ({
          course,
          accepted,
          rejected,
        }),
      );
    },

    isLarge: () => ledger.size() + providers.size() > LARGE_LEDGER,

    forget: () => {
      ledger = createWorkingSet();
      providers.forget();
    },
  };
};

const sharedKeys = ({ queued, stream }: CourseInBatch, ledger: WorkingSet): readonly string[] => {
  if (queued.kind === 'rejected') return [];
  const held = ledger.record(stream)?.state ?? noRecord;
  return [
    stream,
    ...(held.status === 'none' ? [] : held.fingerprints),
    ...(queued.kind === 'course' ? listFingerprints(queued) : []),
  ];
};

const contextOf = ({ mark, correlationId, actor }: CourseInBatch): AppendContext => ({
  correlationId,
  causationId: `${mark.ingestionId}/${mark.position}`,
  actor,
});

/** What the log holds of the records that a chunk touches, with what is decided meanwhile. */
type LogOfChunk = ReadonlyMap<string, StoredRecordEvent[]>;

const loadFromLog = async (
  courses: readonly CourseInBatch[],
  registry: WorkerPorts,
): Promise<LogOfChunk> => {
  const streams = [...new Set(courses.map(({ stream }) => stream))];
  return new Map(
    await Promise.all(
      streams.map(
        async (stream): Promise<[string, StoredRecordEvent[]]> => [
          stream,
          [...(await registry.log.readStream(stream))] as StoredRecordEvent[],
        ],
      ),
    ),
  );
};

// Records of a chunk in doubt are shown as of each course, not as the tables have them by now.
const loadUncertainHolders = (
  courses: readonly CourseInBatch[],
  log: LogOfChunk,
  ledger: WorkingSet,
  registry: WorkerPorts,
): Promise<void> => {
  const inDoubt = new Set(
    [...log.values()].flatMap((events) => events.map(({ event }) => event.data.submissionUuid)),
  );
  return loadFingerprintHolders(
    courses,
    ({ stream, mark }) => stateSeenByItem(log.get(stream) ?? [], mark),
    ledger,
    registry.hotReads,
    (submissionUuid) => inDoubt.has(submissionUuid),
  );
};

/**
 * Decides a course of a chunk that an earlier run may have written in part: an outcome that is in
 * the log stands; any other is decided as if that run had not come further than here.
 */
const decideAgain = (course: CourseInBatch, log: LogOfChunk, ledger: WorkingSet): ItemOutcome => {
  for (const [stream, events] of log) ledger.put(stream, stateSeenByItem(events, course.mark));
  const events = log.get(course.stream) ?? [];
  const own = eventsOfItem(events, course.mark);
  const state = stateAfterItem(events, course.mark);
  if (own.length > 0 && state.status !== 'none') {
    const accepted = toAcceptedEntry(course.queued, own, state);
    return { accepted, rejected: null, events: [], before: NEW_RECORD };
  }
  const outcome = decideItem(course, ledger);
  const { expectedRevision: expected } = outcome.before;
  const next = expected === 'no-stream' ? 0n : expected + 1n;
  for (const [step, event] of outcome.events.entries())
    events.push({ ...pendingEvent(course, event), revision: next + BigInt(step) });
  return outcome;
};

/** An event that was just decided, in the shape of a stored one; it has no place in the log yet. */
const pendingEvent = (
  course: CourseInBatch,
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
    actor: course.actor,
    recordedAt: '',
  },
});

/**
 * The order of the appends: those that share a record, a fingerprint or a provider that changes
 * wait for each other, the rest go side by side. So nothing is in the log before what it was
 * decided on.
 */
const newWriteOrder = (planned: readonly PlannedCourse[]) => {
  const last = new Map<string, Promise<void>>();
  const all: Promise<void>[] = [];
  const changing = new Set(planned.flatMap(({ changes }) => changes.map(({ stream }) => stream)));
  return {
    add(one: PlannedCourse, append: (one: PlannedCourse) => Promise<void>): void {
      const { course, outcome } = one;
      const { state } = outcome.before;
      const shared = new Set([
        course.stream,
        ...(state.status === 'none' ? [] : state.fingerprints),
        ...(course.queued.kind === 'course' ? listFingerprints(course.queued) : []),
        ...listProviderIds(course)
          .map(providerStream)
          .filter((stream) => changing.has(stream)),
      ]);
      const before = [...shared].flatMap((key) => last.get(key) ?? []);
      const write = Promise.all(before).then(() => append(one));
      for (const key of shared) last.set(key, write);
      // It may end before all of them are awaited.
      write.catch(() => undefined);
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
