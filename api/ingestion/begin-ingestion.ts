import type { ExpectedRevision, StreamEvent } from '../../domain/event-log.ts';
import { formatInstant } from '../../domain/fhir/dates.ts';
import { stateAfter } from '../../domain/fold.ts';
import { ingestionStream } from '../../domain/stream-names.ts';
import {
  BUFFER_EXPIRED,
  buildProcessingFailed,
  COURSES_PER_CHUNK,
  type Failure,
  failIngestion,
  MAX_ATTEMPTS,
  startIngestion,
} from '../../domain/submission/decide.ts';
import type { IngestionEnvelope, IngestionEvent } from '../../domain/submission/events.ts';
import type { PushEnd } from '../../domain/submission/pushes.ts';
import type { QueueEntry } from '../../domain/submission/queue-entry.ts';
import { splitBySize } from '../../domain/submission/split-by-size.ts';
import {
  evolve,
  type Ingestion,
  ingestionFold,
  isTerminal,
  noIngestion,
  toQueuedIngestion,
} from '../../domain/submission/state.ts';
import { decideAndAppend } from '../writes/decide-and-append.ts';
import { buildContext, withIds } from './ingestion-context.ts';
import { noteDone, type PracticeBatch } from './practice-batch.ts';

export interface Work {
  readonly entry: QueueEntry;
  state: Ingestion;
  /** Last revision of the stream. */
  end: ExpectedRevision;
  /** True if events of the next chunk may be in the log. */
  mayBePartiallyWritten: boolean;
}

/** True for an entry of one chunk that no worker has started and the read tables do not have. */
export const isSmall = (entry: QueueEntry): boolean =>
  !entry.mayBePartiallyRecorded &&
  entry.revision === null &&
  !entry.isParked &&
  !entry.isExpired &&
  entry.courses <= COURSES_PER_CHUNK;

/**
 * `null` if there is nothing to run. A small ingestion writes its only event when it completes, but
 * one more at the start until the batch is settled: once that is projected, the read tables show
 * everything a former lease holder wrote.
 * @param sharedEnd if it has ended in a stream that it shares
 */
export const begin = async (
  entry: QueueEntry,
  practiceBatch: PracticeBatch,
  sharedEnd?: PushEnd,
): Promise<Work | null> => {
  if (isSmall(entry) && practiceBatch.isSettled)
    return { entry, state: noIngestion, end: 'no-stream', mayBePartiallyWritten: false };
  if (sharedEnd !== undefined) {
    await leaveEnded(entry, true, sharedEnd.stored.position, practiceBatch);
    return null;
  }
  const head = buildEnvelope(entry);
  const decide = (state: Ingestion) => {
    const failure = findFailure(entry, state);
    const at = formatInstant(practiceBatch.ports.now());
    const events =
      failure === null ? startIngestion(head, state) : failIngestion(failure, at, head, state);
    return { state, failure, events: withIds<IngestionEvent>(events, practiceBatch.ports) };
  };
  let last: StreamEvent | undefined;
  const { decided, end } = await decideAndAppend(
    { append: practiceBatch.lease.append, readStream: practiceBatch.ports.log.readStream },
    ingestionStream(entry.ingestionId),
    buildContext(entry),
    (stored) => {
      last = stored.at(-1);
      return decide(stateAfter(stored, ingestionFold));
    },
    guessDecision(entry, decide),
  );
  const { state: before, failure, events } = decided;
  if (events.length === 0) {
    // Otherwise it lost the race for its Idempotency-Key.
    await leaveEnded(entry, isTerminal(before), last?.position, practiceBatch);
    return null;
  }
  if (failure !== null) {
    noteDone(practiceBatch, entry.ingestionId);
    return null;
  }
  return {
    entry,
    state: events.reduce<Ingestion>((state, { event }) => evolve(state, event), before),
    end,
    mayBePartiallyWritten: entry.mayBePartiallyRecorded || before.status === 'processing',
  };
};

/** If its stream is parked, its end may never be projected, and nothing else would delete its row. */
const leaveEnded = async (
  { ingestionId, isParked }: QueueEntry,
  hasEnded: boolean,
  position: bigint | undefined,
  practiceBatch: PracticeBatch,
): Promise<void> => {
  if (!hasEnded || isParked) await practiceBatch.ports.queue.dequeue([ingestionId]);
  noteDone(practiceBatch, ingestionId, position);
};

/**
 * `null` to read the stream first. An entry that was tried too often is failed without its stream,
 * which may be unreadable.
 */
const guessDecision = <Decided>(entry: QueueEntry, decide: (state: Ingestion) => Decided) => {
  const isNew = !entry.mayBePartiallyRecorded && entry.revision === null && !entry.isParked;
  if (!isNew && entry.attempts < MAX_ATTEMPTS) return null;
  return entry.revision === null
    ? { decided: decide(noIngestion), end: 'no-stream' as const }
    : { decided: decide(toQueuedIngestion(buildEnvelope(entry))), end: entry.revision };
};

const findFailure = (entry: QueueEntry, state: Ingestion): Failure | null => {
  const isUntouched = state.status === 'none' || state.status === 'queued';
  if (entry.isExpired && isUntouched && !entry.mayBePartiallyRecorded) return BUFFER_EXPIRED;
  return entry.attempts >= MAX_ATTEMPTS
    ? buildProcessingFailed(entry.lastFault ?? 'ProcessInterrupted')
    : null;
};

/**
 * True if a worker may have begun it that would end it in a stream that it shares. Tried too often, it is
 * failed without its streams, which may be unreadable.
 */
export const mayEndShared = (entry: QueueEntry, { isSettled }: PracticeBatch): boolean =>
  (entry.mayBePartiallyRecorded || !isSettled) &&
  entry.courses <= COURSES_PER_CHUNK &&
  entry.attempts < MAX_ATTEMPTS;

export const buildEnvelope = (entry: QueueEntry): IngestionEnvelope => {
  const { ingestionId, practiceId, keyId, keyKind, imported } = entry;
  const { attempt, courses, correlationId, receivedAt } = entry;
  const head = { ingestionId, practiceId, keyId, keyKind, attempt, courses, correlationId };
  return imported === undefined ? { ...head, receivedAt } : { ...head, receivedAt, imported };
};

/** @returns new last revision; `null` on a wrong revision */
export const appendIngestion = async (
  entry: QueueEntry,
  end: ExpectedRevision,
  events: readonly IngestionEvent[],
  practiceBatch: PracticeBatch,
): Promise<ExpectedRevision | null> => {
  let reached: ExpectedRevision | null = end;
  // Events of one chunk always fit, so the most common case skips the measuring.
  for (const together of isSmall(entry) ? [events] : splitBySize(events, ({ data }) => data)) {
    if (reached === null) break;
    reached = await appendOnce(entry, reached, together, practiceBatch);
  }
  return reached;
};

const appendOnce = async (
  entry: QueueEntry,
  end: ExpectedRevision,
  events: readonly IngestionEvent[],
  { ports, lease }: PracticeBatch,
): Promise<bigint | null> => {
  const appended = await lease.append(
    ingestionStream(entry.ingestionId),
    end,
    withIds(events, ports),
    buildContext(entry),
  );
  return appended.kind === 'appended' ? appended.revision : null;
};
