import { formatInstant } from '../../domain/fhir/dates.ts';
import { getSharedStream } from '../../domain/stream-names.ts';
import {
  BUFFER_EXPIRED,
  COURSES_PER_CHUNK,
  countChunks,
  failIngestion,
  ingestAtOnce,
  recordChunk,
} from '../../domain/submission/decide.ts';
import type { IngestionEvent } from '../../domain/submission/events.ts';
import type { QueueEntry } from '../../domain/submission/queue-entry.ts';
import type { QueuedItem } from '../../domain/submission/queued-item.ts';
import {
  evolve,
  type Ingestion,
  isTerminal,
  toQueuedIngestion,
} from '../../domain/submission/state.ts';
import { createYielder } from '../process/yielder.ts';
import { PracticeLeaseLost } from '../writes/practice-lease.ts';
import type { CourseInBatch, PlannedCourse, WrittenCourse } from './batch-records.ts';
import {
  appendIngestion,
  begin,
  buildEnvelope,
  isSmall,
  mayEndShared,
  type Work,
} from './begin-ingestion.ts';
import { endPushes, takeUpPushes } from './end-pushes.ts';
import { noteDone, type PracticeBatch, settle, trimMemory } from './practice-batch.ts';

/** Maximum of entries, and of their courses. */
export const MAX_ENTRIES = 200;
/** The wait per step hardly depends on the number of courses. */
const CHUNKS_AT_ONCE = 4;

/**
 * The oldest entry alone if it is large or was tried before, else as many small ones as fit:
 * nothing is processed concurrently with a part of an earlier submission.
 */
export const nextBatch = (entries: readonly QueueEntry[]): readonly QueueEntry[] => {
  const [oldest] = entries;
  if (oldest === undefined) return [];
  if (!isSmall(oldest)) return [oldest];
  const batch: QueueEntry[] = [];
  let courses = 0;
  for (const entry of entries) {
    courses += entry.courses;
    if (!isSmall(entry) || courses > MAX_ENTRIES) break;
    batch.push(entry);
  }
  return batch;
};

/**
 * Ends when all are complete or another process needs the practice lease. After a fault the entries
 * are free again, and it counts as an attempt unless a store was down.
 * @returns true if another process should have the practice lease now
 * @throws PracticeLeaseLost, or a fault of the log or database
 */
export const ingestBatch = async (
  entries: readonly QueueEntry[],
  practiceBatch: PracticeBatch,
): Promise<boolean> => {
  const { ports } = practiceBatch;
  const ids = entries.map(({ ingestionId }) => ingestionId);
  try {
    const attempts = await ports.queue.claim(ids);
    ports.afterStep('entries-claimed');
    const claimed = entries.map((entry) => ({
      ...entry,
      attempts: attempts.get(entry.ingestionId) ?? entry.attempts,
    }));
    const ends = await takeUpPushes(
      claimed.filter((entry) => mayEndShared(entry, practiceBatch)),
      practiceBatch,
    );
    const works = await Promise.all(
      claimed.map((entry) => begin(entry, practiceBatch, ends.get(entry.ingestionId))),
    );
    const begun = works.filter((work) => work !== null);
    ports.afterStep('run-started');
    if (begun.length === 0) return await practiceBatch.isOver();
    if (!practiceBatch.isSettled) {
      // Settling may take long after a crash, and a process that dies while waiting has made no attempt.
      await ports.queue.release(ids);
      await settle(practiceBatch);
      await ports.queue.claim(ids);
    }
    return await ingestChunks(begun, practiceBatch);
  } catch (error) {
    practiceBatch.records.forget();
    if (ports.isOutage(error) || error instanceof PracticeLeaseLost)
      // Without the database the entries stay in progress here, which counts as little.
      await ports.queue.release(ids).catch(() => undefined);
    else await ports.queue.fail(ids, getFaultName(error));
    throw error;
  }
};

// The Postgres driver names its errors `error`.
const getFaultName = (error: unknown): string => {
  if (!(error instanceof Error)) return 'Error';
  return error.name === 'error' ? 'DatabaseError' : error.name;
};

/** A batch of several ingestions has one chunk of each at a time. */
const ingestChunks = async (
  begun: readonly Work[],
  practiceBatch: PracticeBatch,
): Promise<boolean> => {
  let unfinished = begun;
  let hasFailedBefore = begun.some(({ entry }) => entry.attempts > 0);
  let ahead: PlannedSteps | null = null;
  for (;;) {
    await practiceBatch.lease.renew();
    const next: PlannedSteps | null = ahead ?? (await planNext(unfinished, practiceBatch));
    if (next === null) return practiceBatch.isOver();
    const hasIngested = await ingestTogether(next, practiceBatch);
    ahead = hasIngested.ahead;
    for (const { entry, state } of unfinished)
      if (isTerminal(state)) noteDone(practiceBatch, entry.ingestionId);
    unfinished = unfinished.filter(({ state }) => !isTerminal(state));
    if (unfinished.length === 0) return hasIngested.isOver;
    if (hasFailedBefore) {
      await practiceBatch.ports.queue.resetAttempts(
        unfinished.map(({ entry }) => entry.ingestionId),
      );
      hasFailedBefore = false;
    }
    if (hasIngested.isOver) {
      // The rest of a large ingestion continues under a later lease, at no cost in attempts.
      if (ahead !== null) practiceBatch.records.forget();
      await practiceBatch.ports.queue.release(unfinished.map(({ entry }) => entry.ingestionId));
      return true;
    }
    // The next plan depends on the working set.
    if (ahead === null) await trimMemory(practiceBatch);
  }
};

/** Recorded in one append or not at all. */
interface Step {
  readonly work: Work;
  readonly chunks: readonly (readonly CourseInBatch[])[];
}

interface PlannedSteps {
  readonly steps: readonly Step[];
  readonly courses: readonly PlannedCourse[];
}

/** `null` if a chunk is lost, after failing its ingestion. */
const planNext = async (
  works: readonly Work[],
  practiceBatch: PracticeBatch,
): Promise<PlannedSteps | null> => {
  const opened = await openSteps(works, practiceBatch);
  if (opened === null) return null;
  return planSteps(opened.slice(0, await countIndependent(opened, practiceBatch)), practiceBatch);
};

/**
 * Keeps the CPU busy while a step is being appended. `null` if there is nothing to plan, or the
 * working set should be dropped first.
 */
const planAhead = async (
  steps: readonly Step[],
  practiceBatch: PracticeBatch,
): Promise<PlannedSteps | null> => {
  const [step] = steps;
  if (step === undefined || steps.length > 1 || step.work.mayBePartiallyWritten) return null;
  const { work } = step;
  const first = getChunksDone(work.state) + step.chunks.length;
  if (first >= countChunks(work.entry.courses) || practiceBatch.records.isLarge()) return null;
  const opened = await openFrom(() => first, [work], practiceBatch);
  // A chunk is lost: the ingestion fails once the earlier decisions are in the log.
  if (opened.some(hasLostChunk)) return null;
  return planSteps(
    opened.map((one) => toStep(one, practiceBatch)),
    practiceBatch,
  );
};

const planSteps = async (
  steps: readonly Step[],
  practiceBatch: PracticeBatch,
): Promise<PlannedSteps> => ({
  steps,
  courses: await practiceBatch.records.plan(
    steps.flatMap(({ chunks }) => chunks.flat()),
    steps.some(({ work }) => work.mayBePartiallyWritten),
  ),
});

/**
 * Counts the oldest ingestions that share no record and no fingerprint. An outcome without events
 * enters the log only with its chunk: with a later decision in the log before it, a repeat of an
 * interrupted run could decide differently.
 */
const countIndependent = async (
  steps: readonly Step[],
  practiceBatch: PracticeBatch,
): Promise<number> => {
  if (steps.length === 1 || steps[0]?.work.mayBePartiallyWritten === true) return 1;
  const keys = await practiceBatch.records.findSharedKeys(steps.map(({ chunks }) => chunks.flat()));
  const taken = new Set<string>();
  for (const [index, own] of keys.entries()) {
    if (steps[index]?.work.mayBePartiallyWritten === true || [...own].some((key) => taken.has(key)))
      return index;
    for (const key of own) taken.add(key);
  }
  return steps.length;
};

interface IngestedSteps {
  readonly ahead: PlannedSteps | null;
  readonly isOver: boolean;
}

const ingestTogether = async (
  { steps, courses }: PlannedSteps,
  practiceBatch: PracticeBatch,
): Promise<IngestedSteps> => {
  const { ports } = practiceBatch;
  const planning = planAhead(steps, practiceBatch);
  // A rejection before it is awaited must not count as unhandled.
  planning.catch(() => undefined);
  try {
    const written = await practiceBatch.records.write(courses);
    ports.afterStep('courses-appended');
    const asking = practiceBatch.isOver();
    // It may reject before it is awaited, and the recording must end first.
    asking.catch(() => undefined);
    await recordTogether(steps, written, practiceBatch);
    ports.afterStep('chunk-recorded');
    return { ahead: await planning, isOver: await asking };
  } finally {
    // Planning fills the working set, which is dropped after a fault.
    await planning.catch(() => undefined);
  }
};

interface StepOutcomes {
  readonly work: Work;
  readonly chunks: readonly (readonly WrittenCourse[])[];
}

const recordTogether = async (
  steps: readonly Step[],
  written: readonly WrittenCourse[],
  practiceBatch: PracticeBatch,
): Promise<void> => {
  // Outcomes are in the order of their courses.
  const next = createTaker(written);
  const outcomes = steps.map(
    ({ work, chunks }): StepOutcomes => ({
      work,
      chunks: chunks.map((courses) => next(courses.length)),
    }),
  );
  const rest = createYielder();
  const together = outcomes.filter(({ work }) => sharesStream(work));
  const ending = recordPushes(together, practiceBatch);
  // A rejection before it is awaited must not count as unhandled.
  ending.catch(() => undefined);
  const recording: Promise<void>[] = [ending];
  for (const { work, chunks } of outcomes) {
    if (sharesStream(work)) continue;
    const one = recordStep(work, chunks, practiceBatch);
    // A rejection before it is awaited must not count as unhandled.
    one.catch(() => undefined);
    recording.push(one);
    await rest();
  }
  await Promise.all(recording);
};

/** A push that nothing is known of until it ends, and whose id names a stream to end in. */
const sharesStream = ({ entry, state }: Work): boolean =>
  state.status === 'none' && getSharedStream(entry.ingestionId) !== null;

const recordPushes = async (
  outcomes: readonly StepOutcomes[],
  practiceBatch: PracticeBatch,
): Promise<void> => {
  const at = formatInstant(practiceBatch.ports.now());
  await endPushes(
    outcomes.map(({ work: { entry }, chunks }) => {
      const { ingestionId, attempt, courses, correlationId, receivedAt } = entry;
      const envelope = { ingestionId, attempt, courses, correlationId, receivedAt };
      return { entry, push: { ...envelope, ...toOutcomes(chunks.flat()) } };
    }),
    at,
    practiceBatch,
  );
  for (const { work } of outcomes) {
    work.state = { ...toQueuedIngestion(buildEnvelope(work.entry)), status: 'completed' };
    practiceBatch.ports.noteProgress(work.entry, work.entry.courses);
  }
};

const recordStep = async (
  work: Work,
  chunks: readonly (readonly WrittenCourse[])[],
  practiceBatch: PracticeBatch,
): Promise<void> => {
  const events = buildEvents(work, chunks, formatInstant(practiceBatch.ports.now()));
  const state = events.reduce<Ingestion>(evolve, work.state);
  const end = await appendIngestion(work.entry, work.end, events, practiceBatch);
  if (end === null) throw new PracticeLeaseLost('The ingestion was taken up by another.');
  Object.assign(work, { state, end, mayBePartiallyWritten: false } satisfies Partial<Work>);
  const { courses } = work.entry;
  const done = isTerminal(state)
    ? courses
    : Math.min(getChunksDone(state) * COURSES_PER_CHUNK, courses);
  practiceBatch.ports.noteProgress(work.entry, done);
};

/** A single event if the ingestion has none yet. */
const buildEvents = (
  { entry, state: before }: Work,
  chunks: readonly (readonly WrittenCourse[])[],
  at: string,
): readonly IngestionEvent[] => {
  const [first] = chunks;
  if (before.status === 'none')
    return first === undefined
      ? []
      : [ingestAtOnce(buildEnvelope(entry), { ...toOutcomes(first), at })];
  const events: IngestionEvent[] = [];
  let state = before;
  for (const written of chunks) {
    const outcomes = { chunk: getChunksDone(state), ...toOutcomes(written), at };
    const recorded = recordChunk(outcomes, state);
    events.push(...recorded);
    state = recorded.reduce<Ingestion>(evolve, state) as typeof before;
  }
  return events;
};

const toOutcomes = (written: readonly WrittenCourse[]) => ({
  accepted: written.flatMap(({ accepted }) => accepted ?? []),
  rejected: written.flatMap(({ rejected }) => rejected ?? []),
  rejectedAt: written.flatMap(({ course, rejected }) =>
    rejected === null ? [] : [course.mark.position],
  ),
});

const getChunksDone = (state: Ingestion): number =>
  state.status === 'none' ? 0 : state.chunksDone;

/** `null` if a chunk is lost, after failing its ingestion. */
const openSteps = async (
  works: readonly Work[],
  practiceBatch: PracticeBatch,
): Promise<readonly Step[] | null> => {
  const opened = await openFrom(({ state }) => getChunksDone(state), works, practiceBatch);
  const lost = opened.filter(hasLostChunk);
  for (const { work } of lost) {
    const at = formatInstant(practiceBatch.ports.now());
    const events = failIngestion(BUFFER_EXPIRED, at, buildEnvelope(work.entry), work.state);
    await appendIngestion(work.entry, work.end, events, practiceBatch);
    noteDone(practiceBatch, work.entry.ingestionId);
  }
  return lost.length > 0 ? null : opened.map((one) => toStep(one, practiceBatch));
};

/** `null` for a lost chunk. */
interface OpenedChunks {
  readonly work: Work;
  readonly chunks: readonly (readonly QueuedItem[] | null)[];
}

/** Several chunks if there is only one ingestion. */
const openFrom = async (
  getFirst: (work: Work) => number,
  works: readonly Work[],
  practiceBatch: PracticeBatch,
): Promise<readonly OpenedChunks[]> => {
  const atOnce = works.length === 1 ? CHUNKS_AT_ONCE : 1;
  const chunksToOpen = works.map((work) => {
    const { entry } = work;
    const first = getFirst(work);
    const count = Math.min(atOnce, countChunks(entry.courses) - first);
    return Array.from({ length: count }, (_, index) => ({ entry, chunk: first + index }));
  });
  const next = createTaker(await practiceBatch.ports.queue.openChunks(chunksToOpen.flat()));
  return works.map((work, index) => ({ work, chunks: next(chunksToOpen[index]?.length ?? 0) }));
};

const hasLostChunk = ({ chunks }: OpenedChunks): boolean => chunks.includes(null);

const toStep = ({ work, chunks }: OpenedChunks, practiceBatch: PracticeBatch): Step => ({
  work,
  chunks: chunks.map((courses) => practiceBatch.records.toCourses(work.entry, courses ?? [])),
});

const createTaker = <Item>(list: readonly Item[]): ((count: number) => readonly Item[]) => {
  let at = 0;
  return (count) => {
    at += count;
    return list.slice(at - count, at);
  };
};
