import { randomUUID } from 'node:crypto';
import { stateAfter } from '../../domain/fold.ts';
import {
  BUFFER_EXPIRED,
  COURSES_PER_CHUNK,
  type Failure,
  fail,
  MOST_ATTEMPTS,
  processingFailed,
  start,
} from '../../domain/ingestion/decide.ts';
import type { IngestionEvent } from '../../domain/ingestion/events.ts';
import type { QueueEntry } from '../../domain/ingestion/ports.ts';
import { evolve, type Ingestion, ingestionFold, isTerminal } from '../../domain/ingestion/state.ts';
import { ingestionStream } from '../../domain/stream-names.ts';
import { completedAt } from './completed-at.ts';
import { inAppends } from './in-appends.ts';
import type { Turn } from './turn.ts';

const SERVICE_ACTOR = { kind: 'service', id: 'ingestion-worker' } as const;

/** An ingestion that a batch works on. */
export interface Work {
  readonly entry: QueueEntry;
  state: Ingestion;
  /** Revision of the ingestion's last event. */
  revision: bigint;
  /** An earlier run was cut short in the next chunk: its events may be in the log. */
  isInDoubt: boolean;
  /** Events that are in the state and go into the log with those of the next chunk. */
  opening: readonly IngestionEvent[];
}

/** Never taken up before, not to be failed, and of one chunk. */
export const isSmall = (entry: QueueEntry): boolean =>
  !entry.isInDoubt && entry.run === 0 && !entry.isExpired && entry.courses <= COURSES_PER_CHUNK;

/**
 * Starts a run, or ends the ingestion if it cannot be run. Null: there is nothing to run. One that
 * was never taken up and has one chunk starts and ends in the same append: that it may be in doubt
 * stands in its row since the claim. Not before the turn is settled: the append is what shows that
 * the tables tell all that a former holder has written.
 */
export const begin = async (entry: QueueEntry, turn: Turn): Promise<Work | null> => {
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
      await turn.registry.queue.dequeue([entry.attempt]);
      turn.noteDone(entry.attempt);
      return null;
    }
    const failure = failureOf(entry, work.state);
    const at = completedAt(turn.registry.now());
    const events = failure === null ? start(work.state) : fail(failure, at, work.state);
    const appended = await appendIngestion(entry, work.revision, events, turn);
    if (appended === null) {
      work = await reload(entry, turn);
      continue;
    }
    const isInDoubt = entry.isInDoubt || work.state.status === 'processing';
    const state = events.reduce<Ingestion>(evolve, work.state);
    if (failure === null) return { entry, state, revision: appended, isInDoubt, opening: [] };
    turn.noteDone(entry.attempt);
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
    ingestionId,
    practiceId,
    source,
    attempt,
    correlationId,
    courses,
    run: 0,
    chunksDone: 0,
    accepted: 0,
    rejected: 0,
  };
};

const reload = async (entry: QueueEntry, { registry }: Turn) => {
  const stored = await registry.log.readStream(ingestionStream(entry.ingestionId));
  return {
    state: stateAfter(stored, ingestionFold),
    revision: stored.at(-1)?.revision ?? -1n,
  };
};

/** Appends to the ingestion's stream. @returns the new revision; null if the stream has moved on */
export const appendIngestion = async (
  entry: QueueEntry,
  revision: bigint,
  events: readonly IngestionEvent[],
  turn: Turn,
): Promise<bigint | null> => {
  let reached: bigint | null = revision;
  // Of one chunk they fit, and are not measured: most of what is pushed is of one course.
  for (const together of isSmall(entry) ? [events] : inAppends(events)) {
    if (reached === null) break;
    reached = await appendOnce(entry, reached, together, turn);
  }
  return reached;
};

const appendOnce = async (
  entry: QueueEntry,
  revision: bigint,
  events: readonly IngestionEvent[],
  { registry, append }: Turn,
): Promise<bigint | null> => {
  // Random ids: of two workers that begin the same run, one must lose.
  const run = randomUUID();
  const appended = await append(
    ingestionStream(entry.ingestionId),
    revision,
    events.map((event, step) => ({ id: registry.idOf(run, step), event })),
    {
      correlationId: entry.correlationId,
      causationId: entry.attempt,
      actor: SERVICE_ACTOR,
    },
  );
  return appended.kind === 'appended' ? appended.revision : null;
};
