import type {
  AcceptedEntry,
  IngestionCompleted,
  IngestionFailed,
  IngestionStarted,
  RecordsProcessed,
  RejectedEntry,
} from './events.ts';
import { type Ingestion, isTerminal } from './state.ts';

/** Courses that one chunk holds at most. */
export const COURSES_PER_CHUNK = 50;

/** Times that a worker may take up an ingestion before it is given up. */
export const MOST_ATTEMPTS = 5;

/** Chunks of a submission with this many courses. */
export const chunksOf = (courses: number): number => Math.ceil(courses / COURSES_PER_CHUNK);

/** Takes the ingestion up; a terminal or unknown one is left alone (no event). */
export const start = (state: Ingestion): readonly IngestionStarted[] =>
  state.status === 'none' || isTerminal(state)
    ? []
    : [
        {
          type: 'IngestionStarted',
          data: { ingestionId: state.ingestionId, run: runOf(state) + 1 },
        },
      ];

const runOf = (state: Ingestion): number => (state.status === 'none' ? 0 : state.run);

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
  const { ingestionId } = state;
  const processed: RecordsProcessed = {
    type: 'RecordsProcessed',
    data: { ingestionId, chunk, accepted, rejected, rejectedAt },
  };
  if (chunk + 1 < chunksOf(state.courses)) return [processed];
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
export const processingFailed = (exception: string): Failure => ({
  error:
    'The Bundle could not be processed. Submit it again, with a new Idempotency-Key if you use one; if it fails again, give the correlation id to support.',
  exception,
});

/** Gives the ingestion up; a terminal or unknown one is left alone (no event). */
export const fail = (failure: Failure, at: string, state: Ingestion): readonly IngestionFailed[] =>
  state.status === 'none' || isTerminal(state)
    ? []
    : [
        {
          type: 'IngestionFailed',
          data: {
            ingestionId: state.ingestionId,
            ...failure,
            correlationId: state.correlationId,
            completedAt: at,
          },
        },
      ];
