import { randomUUID } from 'node:crypto';
import type {
  AppendContext,
  ExpectedRevision,
  Fact,
  NewEvent,
  StreamEvent,
} from '../../domain/event-log.ts';
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
import type { QueueEntry } from '../../domain/submission/queue-entry.ts';
import {
  evolve,
  type Ingestion,
  ingestionFold,
  isTerminal,
  noIngestion,
  toQueuedIngestion,
} from '../../domain/submission/state.ts';
import { decideAndAppend } from '../writes/decide-and-append.ts';
import { noteDone, type PracticeBatch } from './practice-batch.ts';

const SERVICE_ACTOR = { kind: 'service', id: 'ingestion-worker' } as const;

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
 */
export const begin = async (
  entry: QueueEntry,
  practiceBatch: PracticeBatch,
): Promise<Work | null> => {
  if (isSmall(entry) && practiceBatch.isSettled)
    return { entry, state: noIngestion, end: 'no-stream', mayBePartiallyWritten: false };
  const head = buildEnvelope(entry);
  const decide = (state: Ingestion) => {
    const failure = findFailure(entry, state);
    const at = formatInstant(practiceBatch.ports.now());
    const events =
      failure === null ? startIngestion(head, state) : failIngestion(failure, at, head, state);
    return { state, failure, events: withIds(events, practiceBatch.ports) };
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
    // It has ended, or lost the race for its Idempotency-Key. If its stream is parked, its end may
    // never be projected, and nothing else would delete its row.
    const isOver = isTerminal(before) && !entry.isParked;
    if (!isOver) await practiceBatch.ports.queue.dequeue([entry.ingestionId]);
    noteDone(practiceBatch, entry.ingestionId, last?.position);
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
  for (const together of isSmall(entry) ? [events] : splitAppends(events)) {
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

/** Random: of two workers that begin the same run, one must fail. */
const withIds = (
  events: readonly IngestionEvent[],
  { deriveId }: Pick<PracticeBatch['ports'], 'deriveId'>,
): readonly NewEvent<IngestionEvent>[] => {
  const run = randomUUID();
  return events.map((event, step) => ({ id: deriveId(run, step), event }));
};

const buildContext = ({ correlationId, attempt }: QueueEntry): AppendContext => ({
  correlationId,
  causationId: attempt,
  actor: SERVICE_ACTOR,
});

/** Half of the log's limit of 1 MiB; the other half is for the outcomes of a whole chunk. */
const MAX_APPEND_BYTES = 512 * 1024;

/**
 * Otherwise the outcomes of 200 rejected rows in Chinese would exceed one append and fail the
 * import.
 */
export const splitAppends = <E extends Fact>(events: readonly E[]): readonly (readonly E[])[] => {
  const appends: E[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const event of events) {
    const own = Buffer.byteLength(JSON.stringify(event.data));
    const last = appends.at(-1);
    if (last !== undefined && bytes + own <= MAX_APPEND_BYTES) {
      last.push(event);
      bytes += own;
    } else {
      appends.push([event]);
      bytes = own;
    }
  }
  return appends;
};
