import { randomUUID } from 'node:crypto';
import type { AppendContext, NewEvent } from '../../domain/event-log.ts';
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
import { appendDecided } from './append-decided.ts';
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
  const decide = (state: Ingestion) => {
    if (state.status === 'none' || isTerminal(state)) return { state, failure: null, events: [] };
    const failure = failureOf(entry, state);
    const at = completedAt(turn.registry.now());
    const events = failure === null ? start(state) : fail(failure, at, state);
    return { state, failure, events: withIds(events, turn.registry) };
  };
  const { decided, end } = await appendDecided(
    { append: turn.append, readStream: turn.registry.log.readStream },
    ingestionStream(entry.ingestionId),
    contextOf(entry),
    (stored) => decide(stateAfter(stored, ingestionFold)),
    isKnown ? { decided: decide(queuedState(entry)), end: entry.revision } : null,
  );
  const { state: before, failure, events } = decided;
  // Its end may never be projected, when its stream is parked: nothing else would delete its row.
  if (events.length === 0) await turn.registry.queue.dequeue([entry.attempt]);
  if (events.length === 0 || failure !== null || end === 'no-stream') {
    turn.noteDone(entry.attempt);
    return null;
  }
  return {
    entry,
    state: events.reduce<Ingestion>((state, { event }) => evolve(state, event), before),
    revision: end,
    isInDoubt: entry.isInDoubt || before.status === 'processing',
    opening: [],
  };
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
  const appended = await append(
    ingestionStream(entry.ingestionId),
    revision,
    withIds(events, registry),
    contextOf(entry),
  );
  return appended.kind === 'appended' ? appended.revision : null;
};

/** With random ids: of two workers that begin the same run, one must lose. */
const withIds = (
  events: readonly IngestionEvent[],
  { idOf }: Pick<Turn['registry'], 'idOf'>,
): readonly NewEvent<IngestionEvent>[] => {
  const run = randomUUID();
  return events.map((event, step) => ({ id: idOf(run, step), event }));
};

const contextOf = ({ correlationId, attempt }: QueueEntry): AppendContext => ({
  correlationId,
  causationId: attempt,
  actor: SERVICE_ACTOR,
});
