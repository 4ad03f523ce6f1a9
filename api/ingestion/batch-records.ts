import { listFingerprints } from '../../domain/birth-record/duplicates/fingerprint.ts';
import {
  eventsOfItem,
  type RecordStream,
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
import type { QueueEntry } from '../../domain/submission/queue-entry.ts';
import type { QueuedItem } from '../../domain/submission/queued-item.ts';
import { toAcceptedEntry } from '../../domain/submission/receipt.ts';
import { createYielder } from '../process/yielder.ts';
import { ConcurrentModification } from '../writes/practice-lease.ts';
import { createBatchProviders, listProviderIds, type ProviderChange } from './batch-providers.ts';
import {
  decideWithHolders,
  loadMissingMatches,
  loadMissingRecords,
  loadWorkingSet,
  reloadMatches,
} from './load-working-set.ts';
import type { WorkerPorts } from './worker-ports.ts';

/** Dropping the working set waits for the read tables; a larger set only costs memory. */
const MAX_WORKING_SET_SIZE = 5_000;

export type CourseInBatch = SubmissionItem & {
  readonly correlationId: string;
  readonly actor: Actor;
};

export interface PlannedCourse {
  readonly course: CourseInBatch;
  readonly outcome: ItemOutcome;
  readonly changes: readonly ProviderChange[];
}

/** The events, if any, are in the log. */
export interface WrittenCourse {
  readonly course: CourseInBatch;
  readonly accepted: AcceptedEntry | null;
  readonly rejected: RejectedEntry | null;
}

export interface BatchRecords {
  toCourses(entry: QueueEntry, queued: readonly QueuedItem[]): readonly CourseInBatch[];
  /** Keys are records, their current fingerprints, and the fingerprints of the courses. */
  findSharedKeys(
    courses: readonly (readonly CourseInBatch[])[],
  ): Promise<readonly ReadonlySet<string>[]>;
  /**
   * Decides in the given order. The caller must either write the decisions next or call `forget`.
   * @param mayBePartiallyWritten true if an earlier run may have written some of them
   */
  plan(
    courses: readonly CourseInBatch[],
    mayBePartiallyWritten: boolean,
  ): Promise<readonly PlannedCourse[]>;
  /**
   * @throws PracticeLeaseLost, or ConcurrentModification if a record was changed since it was
   * loaded
   */
  write(planned: readonly PlannedCourse[]): Promise<readonly WrittenCourse[]>;
  isLarge(): boolean;
  forget(): void;
}

/** @param renew renews the practice lease */
export const createBatchRecords = (
  ports: WorkerPorts,
  append: AppendToStream,
  renew: () => Promise<void>,
): BatchRecords => {
  let workingSet = createWorkingSet();
  const providers = createBatchProviders(ports);

  // Providers are appended first, so that no record in the log refers to an unknown one.
  const appendCourse = async ({ course, outcome, changes }: PlannedCourse): Promise<void> => {
    if (changes.length > 0) await Promise.all(changes.map((one) => appendProvider(course, one)));
    const { ingestionId, position } = course.mark;
    const appended = await append(
      course.stream,
      outcome.before.expectedRevision,
      outcome.events.map((event, step) => ({
        id: ports.deriveId(ingestionId, position, step),
        event,
      })),
      buildContext(course),
    );
    if (appended.kind === 'wrong-revision')
      throw new ConcurrentModification('A record has moved since it was loaded.');
    ports.afterStep('course-appended');
  };

  const appendProvider = async (course: CourseInBatch, change: ProviderChange): Promise<void> => {
    const { stream, expected, events } = change;
    const { ingestionId, position } = course.mark;
    const appended = await append(
      stream,
      expected,
      events.map((event, step) => ({
        id: ports.deriveId(ingestionId, position, stream, step),
        event,
      })),
      buildContext(course),
    );
    if (appended.kind === 'wrong-revision')
      throw new ConcurrentModification('A provider has moved since it was loaded.');
    ports.afterStep('provider-appended');
  };

  return {
    toCourses: (entry, queued) => {
      const names = { deriveId: ports.deriveId, submissionHash: ports.identity.submissionHash };
      return queued.map((one) => ({
        ...toSubmissionItem(one, entry, names),
        correlationId: entry.correlationId,
        actor: entry.actor,
      }));
    },

    async findSharedKeys(courses) {
      await loadMissingRecords(courses.flat(), workingSet, ports.hotReads);
      return courses.map(
        (some) => new Set(some.flatMap((course) => listSharedKeys(course, workingSet))),
      );
    },

    async plan(courses, mayBePartiallyWritten) {
      const log = mayBePartiallyWritten ? await loadFromLog(courses, ports) : null;
      const hasNewerState = log === null ? () => false : createIsInLog(log);
      const [survivors] = await Promise.all([
        providers.load(courses, mayBePartiallyWritten),
        log === null
          ? loadWorkingSet(courses, workingSet, ports.hotReads)
          : loadMissingMatches(
              courses,
              ({ stream, mark }) => stateSeenByItem(log.get(stream) ?? [], mark),
              workingSet,
              ports.hotReads,
              { hasNewerState },
            ),
      ]);
      workingSet.putSurvivors(survivors);
      ports.afterStep('records-loaded');
      const planned: PlannedCourse[] = [];
      for (const course of courses) {
        const outcome = await decideWithHolders(
          () =>
            log === null
              ? decideItem(course, workingSet)
              : decideAfterInterruption(course, log, workingSet),
          (fingerprints, limit) =>
            reloadMatches(course.practiceId, fingerprints, workingSet, ports.hotReads, {
              limit,
              hasNewerState,
            }),
        );
        planned.push({
          course,
          outcome,
          // A course that was rejected, or written by an earlier run, changes no providers.
          changes: outcome.events.length > 0 ? providers.decide(course) : [],
        });
      }
      return planned;
    },

    async write(planned) {
      // Reading and deciding may have used up most of the lease.
      await renew();
      const order = createWriteOrder(planned);
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

    isLarge: () => workingSet.size() + providers.size() > MAX_WORKING_SET_SIZE,

    forget: () => {
      workingSet = createWorkingSet();
      providers.forget();
    },
  };
};

const listSharedKeys = (
  { queued, stream }: CourseInBatch,
  workingSet: WorkingSet,
): readonly string[] => {
  if (queued.kind === 'rejected') return [];
  const current = workingSet.record(stream)?.state ?? noRecord;
  return [
    stream,
    ...(current.status === 'none' ? [] : current.fingerprints),
    ...(queued.kind === 'course' ? listFingerprints(queued) : []),
  ];
};

const buildContext = ({ mark, correlationId, actor }: CourseInBatch): AppendContext => ({
  correlationId,
  causationId: `${mark.ingestionId}/${mark.position}`,
  actor,
});

/** Stored events, followed by those decided since. */
type LogOfChunk = ReadonlyMap<string, RecordStream[number][]>;

const loadFromLog = async (
  courses: readonly CourseInBatch[],
  ports: WorkerPorts,
): Promise<LogOfChunk> => {
  const streams = [...new Set(courses.map(({ stream }) => stream))];
  return new Map(
    await Promise.all(
      streams.map(
        async (stream): Promise<[string, RecordStream[number][]]> => [
          stream,
          [...(await ports.log.readStream(stream))] as RecordStream[number][],
        ],
      ),
    ),
  );
};

// An earlier run may have written parts of this chunk, so its records are compared as of each
// course and not as the read tables show them.
const createIsInLog = (log: LogOfChunk): ((submissionUuid: string) => boolean) => {
  const uncertainUuids = new Set(
    [...log.values()].flatMap((events) =>
      events.flatMap(({ event }) => event?.data.submissionUuid ?? []),
    ),
  );
  return (submissionUuid) => uncertainUuids.has(submissionUuid);
};

/**
 * An outcome that is in the log is final; any other is decided as if the earlier run had stopped
 * before it.
 */
const decideAfterInterruption = (
  course: CourseInBatch,
  log: LogOfChunk,
  workingSet: WorkingSet,
): ItemOutcome => {
  for (const [stream, events] of log) workingSet.put(stream, stateSeenByItem(events, course.mark));
  const events = log.get(course.stream) ?? [];
  const own = eventsOfItem(events, course.mark);
  const state = stateAfterItem(events, course.mark);
  if (own.length > 0 && state.status !== 'none') {
    const accepted = toAcceptedEntry(course.queued, own, state);
    return { accepted, rejected: null, events: [], before: NEW_RECORD };
  }
  const outcome = decideItem(course, workingSet);
  const { expectedRevision: expected } = outcome.before;
  const next = expected === 'no-stream' ? 0n : expected + 1n;
  for (const [step, event] of outcome.events.entries())
    events.push({ ...buildPendingEvent(course, event), revision: next + BigInt(step) });
  return outcome;
};

/** In the shape of a stored event, before it has a position. */
const buildPendingEvent = (
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
 * Courses that share a record, a fingerprint, or a changing provider wait for each other. A
 * decision is never in the log before the facts it was based on.
 */
const createWriteOrder = (planned: readonly PlannedCourse[]) => {
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
      // A rejection before `done` awaits it must not count as unhandled.
      write.catch(() => undefined);
      all.push(write);
    },
    /** @throws the first fault */
    async done(): Promise<void> {
      const ended = await Promise.allSettled(all);
      const fault = ended.find(({ status }) => status === 'rejected');
      if (fault?.status === 'rejected') throw fault.reason;
    },
  };
};
