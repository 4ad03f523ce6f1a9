import type {
  AcceptedEntry,
  IngestionCompleted,
  IngestionEnvelope,
  IngestionFailed,
  IngestionStarted,
  RecordsProcessed,
  RejectedEntry,
  SubmissionIngested,
} from './events.ts';
import { type Ingestion, isTerminal } from './state.ts';

/** Courses that one chunk holds at most. */
export const COURSES_PER_CHUNK = 50;

/** Times that a worker may take up an ingestion before it is given up. */
export const MAX_ATTEMPTS = 5;

/** Chunks of a submission with this many courses. */
export const countChunks = (courses: number): number => Math.ceil(courses / COURSES_PER_CHUNK);

/** Takes the ingestion up. One that was begun from another queue row, or has ended, is left alone (no event). */
export const startIngestion = (
  head: IngestionEnvelope,
  state: Ingestion,
): readonly IngestionStarted[] => {
  const { ingestionId } = head;
  if (state.status === 'none')
    return [{ type: 'IngestionStarted', data: { ingestionId, run: 1, head } }];
  if (isTerminal(state) || isOfAnotherRow(head, state)) return [];
  return [{ type: 'IngestionStarted', data: { ingestionId, run: state.run + 1 } }];
};

/** Outcomes of a submission of one chunk that was never begun before: its ingestion in one event. */
export const ingestAtOnce = (
  head: IngestionEnvelope,
  { accepted, rejected, rejectedAt, at }: Omit<RecordChunk, 'chunk'>,
): SubmissionIngested => ({
  type: 'SubmissionIngested',
  data: { ...head, accepted, rejected, rejectedAt, completedAt: at },
});

/** Outcomes of one chunk. */
export interface RecordChunk {
  readonly chunk: number;
  readonly accepted: readonly AcceptedEntry[];
  readonly rejected: readonly RejectedEntry[];
  /** Positions in the submission of the rejected ones. */
  readonly rejectedAt: readonly number[];
  /** ISO 8601 instant; used when this chunk is the last. */
  readonly at: string;
}

/** Records a chunk's outcomes, and with the last chunk that the ingestion is complete. */
export const recordChunk = (
  command: RecordChunk,
  state: Ingestion,
): readonly (RecordsProcessed | IngestionCompleted)[] => {
  if (state.status !== 'processing' || command.chunk !== state.chunksDone) return [];
  const { chunk, accepted, rejected, rejectedAt, at } = command;
  const { ingestionId, practiceId, source } = state;
  const processed: RecordsProcessed = {
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

/** Why an ingestion is given up: a fixed sentence and the exception's class name. */
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

/** The failure of an ingestion that no worker could finish. @param exception class name of the last fault */
export const buildProcessingFailed = (exception: string): Failure => ({
  error:
    'The Bundle could not be processed. Submit it again, with a new Idempotency-Key if you use one; if it fails again, give the correlation id to support.',
  exception,
});

/**
 * Gives the ingestion up. One that was begun from another queue row, or has ended, is left alone (no
 * event), and so is one that neither the log nor the queue knows.
 * @param head what its queue row says; null when the row is gone
 */
export const failIngestion = (
  failure: Failure,
  at: string,
  head: IngestionEnvelope | null,
  state: Ingestion,
): readonly IngestionFailed[] => {
  const known = state.status === 'none' ? head : state;
  if (known === null || isTerminal(state) || isOfAnotherRow(head, state)) return [];
  const { ingestionId, correlationId } = known;
  const failed = { ingestionId, ...failure, correlationId, completedAt: at };
  const isFirst = state.status === 'none' && head !== null;
  return [{ type: 'IngestionFailed', data: isFirst ? { ...failed, head } : failed }];
};

/** True if the ingestion was started from another row: this one lost the race for its Idempotency-Key. */
const isOfAnotherRow = (head: IngestionEnvelope | null, state: Ingestion): boolean =>
  head !== null && state.status !== 'none' && state.attempt !== head.attempt;
