import type { AcceptedEntry, IngestionEnvelope, IngestionEvent, RejectedEntry } from './events.ts';
import { type Ingestion, isTerminal } from './state.ts';

export const COURSES_PER_CHUNK = 50;

export const MAX_ATTEMPTS = 5;

export const countChunks = (courses: number): number => Math.ceil(courses / COURSES_PER_CHUNK);

/** Starts an attempt at an ingestion. No event if it has ended or was started from another queue entry. */
export const startIngestion = (
  head: IngestionEnvelope,
  state: Ingestion,
): readonly IngestionEvent<'IngestionStarted'>[] => {
  const { ingestionId } = head;
  if (state.status === 'none')
    return [{ type: 'IngestionStarted', data: { ingestionId, run: 1, head } }];
  if (isTerminal(state) || isOfAnotherRow(head, state)) return [];
  return [{ type: 'IngestionStarted', data: { ingestionId, run: state.run + 1 } }];
};

/** Builds the single event for a submission of one chunk that was never started before. */
export const ingestAtOnce = (
  head: IngestionEnvelope,
  { accepted, rejected, rejectedAt, at }: Omit<RecordChunk, 'chunk'>,
): IngestionEvent<'SubmissionIngested'> => ({
  type: 'SubmissionIngested',
  data: { ...head, accepted, rejected, rejectedAt, completedAt: at },
});

export interface RecordChunk {
  readonly chunk: number;
  readonly accepted: readonly AcceptedEntry[];
  readonly rejected: readonly RejectedEntry[];
  readonly rejectedAt: readonly number[];
  /** ISO 8601 instant; used only for the last chunk. */
  readonly at: string;
}

/** Records the outcomes of a chunk. The last chunk also completes the ingestion. */
export const recordChunk = (
  command: RecordChunk,
  state: Ingestion,
): readonly IngestionEvent<'RecordsProcessed' | 'IngestionCompleted'>[] => {
  if (state.status !== 'processing' || command.chunk !== state.chunksDone) return [];
  const { chunk, accepted, rejected, rejectedAt, at } = command;
  const { ingestionId, practiceId, source } = state;
  const processed: IngestionEvent<'RecordsProcessed'> = {
    type: 'RecordsProcessed',
    data: { ingestionId, chunk, accepted, rejected, rejectedAt, practiceId, source },
  };
  if (chunk + 1 < countChunks(state.courses)) return [processed];
  return [
    processed,
    {
      type: 'IngestionCompleted',
      data: {
        ingestionId,
        accepted: state.accepted + accepted.length,
        rejected: state.rejected + rejected.length,
        completedAt: at,
      },
    },
  ];
};

export interface Failure {
  readonly error: string;
  readonly exception: string;
}

/** @see spec "Failed-ingestion outcome object": the queued Bundle aged out before processing */
export const BUFFER_EXPIRED: Failure = {
  error:
    'The buffered Bundle is no longer available: it aged out before it was processed. Submit it again, with a new Idempotency-Key if you use one.',
  exception: 'BufferExpired',
};

export const buildProcessingFailed = (exception: string): Failure => ({
  error:
    'The Bundle could not be processed. Submit it again, with a new Idempotency-Key if you use one; if it fails again, give the correlation id to support.',
  exception,
});

/**
 * No event if it has ended, or was started from another queue entry.
 * @param head `null` if the entry no longer exists
 */
export const failIngestion = (
  failure: Failure,
  at: string,
  head: IngestionEnvelope | null,
  state: Ingestion,
): readonly IngestionEvent<'IngestionFailed'>[] => {
  const known = state.status === 'none' ? head : state;
  if (known === null || isTerminal(state) || isOfAnotherRow(head, state)) return [];
  const { ingestionId, correlationId } = known;
  const failed = { ingestionId, ...failure, correlationId, completedAt: at };
  const isFirst = state.status === 'none' && head !== null;
  return [{ type: 'IngestionFailed', data: isFirst ? { ...failed, head } : failed }];
};

/** This entry lost the race for its idempotency key. */
const isOfAnotherRow = (head: IngestionEnvelope | null, state: Ingestion): boolean =>
  head !== null && state.status !== 'none' && state.attempt !== head.attempt;
