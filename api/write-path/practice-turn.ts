import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import {
  BUFFER_EXPIRED,
  COURSES_PER_CHUNK,
  chunksOf,
  type Failure,
  fail,
  MOST_ATTEMPTS,
  processingFailed,
  recordChunk,
  start,
} from '../../domain/ingestion/decide.ts';
import type { IngestionEvent } from '../../domain/ingestion/events.ts';
import type { QueueEntry } from '../../domain/ingestion/ports.ts';
import { evolve, type Ingestion, isTerminal, noIngestion } from '../../domain/ingestion/state.ts';
import { ingestionStream } from '../../domain/stream-names.ts';
import { newTimeSlices } from '../time-slices.ts';
import { completedAt } from './completed-at.ts';
import { type TurnLease, TurnLost, type TurnParts } from './turn-parts.ts';
import {
  type CourseInTurn,
  type TurnRecords,
  turnRecordsOf,
  type WrittenCourse,
} from './turn-records.ts';

/** Entries that a batch takes at most, and their courses if each is small. */
const MOST_ENTRIES = 200;
/**
 * Chunks of a large ingestion that are decided and recorded in one go: what a step waits for is the
 * same for 50 courses as for 200.
 */
const CHUNKS_AT_ONCE = 4;
/** An append is sent only while the lease lasts longer than all of its tries can take. */
export const APPEND_GIVE_UP_MS = 2_000;
export const APPEND_NEEDS_MS = 3_000;
/**
 * Appends of a turn under way together: what others append does not wait behind a whole batch. The
 * slowest hundredth of the 202s at 900 in a second took 122 to 131 ms without it, 61 to 77 ms with.
 */
const APPENDS_AT_ONCE = 64;
/** The lease is renewed before each batch that would begin with less left. */
export const RENEW_BELOW_MS = 6_000;
export const PROJECTION_WITHIN_MS = 10_000;
/** An idle turn looks for more work so many times before it is given back, and how long between. */
const IDLE_LOOKS = 4;
const IDLE_LOOK_MS = 10;
/** Ingestions seen through that a turn remembers while the read tables catch up. */
const MOST_DONE = 1_000;
const SERVICE_ACTOR = { kind: 'service', id: 'ingestion-worker' } as const;

/** An ingestion that a batch works on. */
interface Work {
  readonly entry: QueueEntry;
  state: Ingestion;
  /** Revision of the ingestion's last event. */
  revision: bigint;
  /** An earlier run was cut short in the next chunk: its events may be in the log. */
  isInDoubt: boolean;
  /** Events that are in the state and go into the log with those of the next chunk. */
  opening: readonly IngestionEvent[];
}

/**
 * Works off the queue of one practice while nobody else wants its turn.
 * @param isTimeUp says after a batch whether other practices have waited long enough
 * @returns whether there was anything to do; null if another holds the turn
 */
export const runTurn = async (
  practiceId: string,
  holder: string,
  parts: TurnParts,
  isStopping: () => boolean,
  isTimeUp: () => boolean,
): Promise<boolean | null> => {
  const name = `turn:${practiceId}`;
  let lease = await parts.takeLease(name, holder);
  if (lease === null) return null;
  parts.afterStep('turn-taken');

  // What this turn has seen through is not picked again while the read tables are behind.
  const done = new Set<string>();
  let highest = lease.highestPosition;
  let isSettled = !lease.seized;
  const currentLease = (): TurnLease => {
    if (lease === null) throw new TurnLost('The turn was taken by another.');
    return lease;
  };
  const oneOfFew = pLimit(APPENDS_AT_ONCE);
  const append: TurnRecords['append'] = (stream, expected, events, context) =>
    oneOfFew(async () => {
      if (currentLease().until - performance.now() < APPEND_NEEDS_MS)
        throw new TurnLost('The turn does not last long enough for another append.');
      const appended = await parts.append(stream, expected, events, context, APPEND_GIVE_UP_MS);
      if (appended.kind === 'appended' && appended.position > highest) highest = appended.position;
      return appended;
    });
  const records = turnRecordsOf(practiceId, parts, append);

  const turn: Turn = {
    parts,
    records,
    append,
    done,
    isSettled: () => isSettled,
    settle: async () => {
      // A holder that is gone may have written what no read table shows yet: once our own latest
      // append is projected, everything before it is too.
      if (isSettled) return;
      await parts.reachProjection(highest, PROJECTION_WITHIN_MS);
      isSettled = true;
      parts.afterStep('projection-reached');
    },
    renew: async () => {
      if (currentLease().until - performance.now() >= RENEW_BELOW_MS) return;
      lease = await parts.renewLease(currentLease());
      currentLease();
    },
    isOver: async () => isStopping() || isTimeUp() || (await parts.isRequested(name, holder)),
    trim: async () => {
      if (!records.isLarge() && done.size <= MOST_DONE) return;
      // Once projected, what was done is not picked again, and records can be loaded again.
      await parts.reachProjection(highest, PROJECTION_WITHIN_MS);
      records.forget();
      done.clear();
    },
  };

  let worked = false;
  let isClean = false;
  try {
    await parts.reachProjection(highest, PROJECTION_WITHIN_MS);
    await turn.renew();
    parts.afterStep('projection-reached');
    let idleLooks = 0;
    while (!isStopping()) {
      await parts.giveWay();
      const entries = await parts.pick(practiceId, [...done], MOST_ENTRIES);
      if (entries.length === 0) {
        if (!worked || idleLooks >= IDLE_LOOKS) break;
        idleLooks += 1;
        await sleep(IDLE_LOOK_MS);
        continue;
      }
      idleLooks = 0;
      worked = true;
      await turn.renew();
      await workOff(nextBatch(entries), turn);
      if (await turn.isOver()) break;
      await turn.trim();
    }
    isClean = true;
  } finally {
    if (lease !== null) await parts.releaseLease(lease, highest, isClean && isSettled);
    parts.afterStep('turn-released');
  }
  return worked;
};

interface Turn {
  readonly parts: TurnParts;
  readonly records: TurnRecords;
  readonly append: TurnRecords['append'];
  readonly done: Set<string>;
  readonly isSettled: () => boolean;
  readonly settle: () => Promise<void>;
  readonly renew: () => Promise<void>;
  /** Whether somebody else should have the turn now. */
  readonly isOver: () => Promise<boolean>;
  /** Keeps what the turn has in memory within bounds. */
  readonly trim: () => Promise<void>;
}

/**
 * The oldest entry alone if it has several chunks or was tried before, else as many as make a batch.
 * Nothing goes beside a part of what was sent before it.
 */
const nextBatch = (entries: readonly QueueEntry[]): readonly QueueEntry[] => {
  const [oldest] = entries;
  if (oldest === undefined) return [];
  if (!isSmall(oldest)) return [oldest];
  const batch: QueueEntry[] = [];
  let courses = 0;
  for (const entry of entries) {
    courses += entry.courses;
    if (!isSmall(entry) || courses > MOST_ENTRIES) break;
    batch.push(entry);
  }
  return batch;
};

/** Never taken up before, not to be failed, and of one chunk. */
const isSmall = (entry: QueueEntry): boolean =>
  !entry.isInDoubt && entry.run === 0 && !entry.isExpired && entry.courses <= COURSES_PER_CHUNK;

const workOff = async (entries: readonly QueueEntry[], turn: Turn): Promise<void> => {
  const { parts } = turn;
  const attempts = entries.map(({ attempt }) => attempt);
  await parts.claim(attempts);
  parts.afterStep('entries-claimed');
  try {
    const begun = (await Promise.all(entries.map((entry) => begin(entry, turn)))).filter(
      (work) => work !== null,
    );
    parts.afterStep('run-started');
    if (begun.length === 0) return;
    await turn.settle();
    await workOffChunks(begun, turn);
  } catch (error) {
    turn.records.forget();
    if (parts.isOutage(error) || error instanceof TurnLost) await parts.unclaim(attempts);
    else await parts.noteFault(attempts, nameOf(error));
    throw error;
  }
};

// The driver of Postgres names its errors `error`.
const nameOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'Error';
  return error.name === 'error' ? 'DatabaseError' : error.name;
};

/**
 * Starts a run, or ends the ingestion if it cannot be run. Null: there is nothing to run. One that
 * was never taken up and has one chunk starts and ends in the same append: that it may be in doubt
 * stands in its row since the claim. Not before the turn is settled: the append is what shows that
 * the tables tell all that a former holder has written.
 */
const begin = async (entry: QueueEntry, turn: Turn): Promise<Work | null> => {
  if (isSmall(entry) && turn.isSettled()) {
    const queued = queuedState(entry);
    const opening = start(queued);
    const state = opening.reduce<Ingestion>(evolve, queued);
    return { entry, state, revision: entry.revision, isInDoubt: false, opening };
  }
  // What was tried too often is given up by what the projected row tells: its stream may be what
  // cannot be read.
  const isKnown = entry.run === 0 || entry.attempts >= MOST_ATTEMPTS;
  const fresh = isKnown ? queuedState(entry) : null;
  let work =
    fresh === null ? await reload(entry, turn) : { state: fresh, revision: entry.revision };
  for (;;) {
    if (work.state.status === 'none' || isTerminal(work.state)) {
      // Its end may never be projected, when its stream is parked: nobody else would drop it.
      await turn.parts.dequeue([entry.attempt]);
      turn.done.add(entry.attempt);
      return null;
    }
    const failure = failureOf(entry, work.state);
    const at = completedAt(turn.parts.now());
    const events = failure === null ? start(work.state) : fail(failure, at, work.state);
    const appended = await appendIngestion(entry, work.revision, events, turn);
    if (appended === null) {
      work = await reload(entry, turn);
      continue;
    }
    const isInDoubt = entry.isInDoubt || work.state.status === 'processing';
    const state = events.reduce<Ingestion>(evolve, work.state);
    if (failure === null) return { entry, state, revision: appended, isInDoubt, opening: [] };
    turn.done.add(entry.attempt);
    return null;
  }
};

const failureOf = (entry: QueueEntry, state: Ingestion): Failure | null => {
  if (entry.isExpired && state.status === 'queued' && !entry.isInDoubt) return BUFFER_EXPIRED;
  return entry.attempts >= MOST_ATTEMPTS
    ? processingFailed(entry.lastFault ?? 'ProcessInterrupted')
    : null;
};

/** What the projected row tells about an ingestion that was never begun. */
const queuedState = (entry: QueueEntry): Ingestion => {
  const { ingestionId, practiceId, source, attempt, correlationId, courses } = entry;
  return {
    status: 'queued',
    ...{ ingestionId, practiceId, source, attempt, correlationId, courses },
    ...{ run: 0, chunksDone: 0, accepted: 0, rejected: 0 },
  };
};

const reload = async (entry: QueueEntry, { parts }: Turn) => {
  const stored = await parts.readStream(ingestionStream(entry.ingestionId));
  return {
    state: stored.reduce<Ingestion>(
      (state, { event }) => evolve(state, event as IngestionEvent),
      noIngestion,
    ),
    revision: stored.at(-1)?.revision ?? -1n,
  };
};

/** Appends to the ingestion's stream. @returns the new revision; null if the stream has moved on */
const appendIngestion = async (
  entry: QueueEntry,
  revision: bigint,
  events: readonly IngestionEvent[],
  turn: Turn,
): Promise<bigint | null> => {
  const { parts } = turn;
  // Random ids: of two workers that begin the same run, one must lose.
  const run = parts.newId();
  const appended = await turn.append(
    ingestionStream(entry.ingestionId),
    revision,
    events.map((event, step) => ({ id: parts.idOf(run, step), event })),
    {
      correlationId: entry.correlationId,
      causationId: entry.attempt,
      actor: SERVICE_ACTOR,
    },
  );
  return appended.kind === 'appended' ? appended.revision : null;
};

/** Chunk after chunk; a batch of several ingestions has one chunk of each. */
const workOffChunks = async (begun: readonly Work[], turn: Turn): Promise<void> => {
  let unfinished = begun;
  while (unfinished.length > 0) {
    await turn.renew();
    const steps = await openSteps(unfinished, turn);
    if (steps === null) return;
    const count = await independentAtFront(steps, turn);
    await workOffTogether(steps.slice(0, count), turn);
    for (const { entry, state } of unfinished) if (isTerminal(state)) turn.done.add(entry.attempt);
    unfinished = unfinished.filter(({ state }) => !isTerminal(state));
    if (unfinished.length === 0) return;
    if (await turn.isOver()) {
      // Somebody waits: the rest of a large one is for the next turn, and costs it no try.
      await turn.parts.unclaim(unfinished.map(({ entry }) => entry.attempt));
      return;
    }
    await turn.trim();
  }
};

/** The chunks of an ingestion that are worked off next, recorded in one append or not at all. */
interface Step {
  readonly work: Work;
  readonly chunks: readonly (readonly CourseInTurn[])[];
}

/**
 * How many ingestions, from the oldest on, share no record and no fingerprint with each other. An
 * outcome without events is in the log only with its chunk: nothing that it was decided before may
 * be there earlier, or a run that is cut short would be repeated with another outcome.
 */
const independentAtFront = async (steps: readonly Step[], turn: Turn): Promise<number> => {
  if (steps.length === 1 || steps[0]?.work.isInDoubt === true) return 1;
  const keys = await turn.records.keysOf(steps.map(({ chunks }) => chunks.flat()));
  const taken = new Set<string>();
  for (const [index, own] of keys.entries()) {
    if (steps[index]?.work.isInDoubt === true || [...own].some((key) => taken.has(key)))
      return index;
    for (const key of own) taken.add(key);
  }
  return steps.length;
};

const workOffTogether = async (steps: readonly Step[], turn: Turn): Promise<void> => {
  const { parts } = turn;
  const written = await turn.records.write(
    steps.flatMap(({ chunks }) => chunks.flat()),
    steps.some(({ work }) => work.isInDoubt),
  );
  parts.afterStep('courses-appended');
  // They come back in the order in which they were given.
  const next = inPieces(written);
  const outcomes = steps.map(({ work, chunks }) => ({
    work,
    chunks: chunks.map((courses) => next(courses.length)),
  }));
  const rest = newTimeSlices();
  const recording: Promise<void>[] = [];
  for (const { work, chunks } of outcomes) {
    const one = recordStep(work, chunks, turn);
    // It may end before somebody waits for all of them.
    one.catch(() => undefined);
    recording.push(one);
    await rest();
  }
  await Promise.all(recording);
  parts.afterStep('chunk-recorded');
};

const recordStep = async (
  work: Work,
  chunks: readonly (readonly WrittenCourse[])[],
  turn: Turn,
): Promise<void> => {
  const at = completedAt(turn.parts.now());
  const all = [...work.opening];
  let state = work.state;
  for (const results of chunks) {
    const events = recordChunk(
      {
        chunk: chunksDone(state),
        accepted: results.flatMap(({ accepted }) => accepted ?? []),
        rejected: results.flatMap(({ rejected }) => rejected ?? []),
        rejectedAt: results.flatMap(({ course, rejected }) =>
          rejected === null ? [] : [course.mark.position],
        ),
        at,
      },
      state,
    );
    all.push(...events);
    state = events.reduce<Ingestion>(evolve, state);
  }
  const revision = await appendIngestion(work.entry, work.revision, all, turn);
  if (revision === null) throw new TurnLost('The ingestion was taken up by another.');
  Object.assign(work, { state, revision, isInDoubt: false, opening: [] } satisfies Partial<Work>);
};

const chunksDone = (state: Ingestion): number => (state.status === 'none' ? 0 : state.chunksDone);

/** Opens the next chunks of each; null if one is gone and its ingestion was failed for it. */
const openSteps = async (works: readonly Work[], turn: Turn): Promise<readonly Step[] | null> => {
  const atOnce = works.length === 1 ? CHUNKS_AT_ONCE : 1;
  const wanted = works.map(({ entry, state }) => {
    const first = chunksDone(state);
    const count = Math.min(atOnce, chunksOf(entry.courses) - first);
    return Array.from({ length: count }, (_, index) => ({ entry, chunk: first + index }));
  });
  const next = inPieces(await turn.parts.openChunks(wanted.flat()));
  const opened = works.map((work, index) => ({ work, chunks: next(wanted[index]?.length ?? 0) }));
  const lost = opened.filter(({ chunks }) => chunks.includes(null));
  for (const { work } of lost) {
    const failed = fail(BUFFER_EXPIRED, completedAt(turn.parts.now()), work.state);
    const events = [...work.opening, ...failed];
    await appendIngestion(work.entry, work.revision, events, turn);
    turn.done.add(work.entry.attempt);
  }
  if (lost.length > 0) return null;
  return opened.map(({ work, chunks }) => ({
    work,
    chunks: chunks.map((courses) => turn.records.coursesOf(work.entry, courses ?? [])),
  }));
};

/** Hands a list out in its order, so many at a time. */
const inPieces = <Item>(list: readonly Item[]): ((count: number) => readonly Item[]) => {
  let at = 0;
  return (count) => {
    at += count;
    return list.slice(at - count, at);
  };
};
