import type { SubmissionSource } from '../course-of-care/events.ts';
import type { Fold } from '../fold.ts';
import type { IngestionEvent } from './events.ts';

/** An ingestion as its events tell it. @see spec "Ingestion status" */
export type Ingestion =
  | { readonly status: 'none' }
  | {
      readonly status: 'queued' | 'processing' | 'completed' | 'failed';
      readonly ingestionId: string;
      readonly practiceId: string;
      readonly source: SubmissionSource;
      readonly attempt: string;
      readonly correlationId: string;
      /** Courses of care in the submission. */
      readonly courses: number;
      /** Times a worker has begun; 0 while queued. */
      readonly run: number;
      readonly chunksDone: number;
      readonly accepted: number;
      readonly rejected: number;
    };

/** An ingestion before its first event. */
export const noIngestion: Ingestion = { status: 'none' };

/** The ingestion after one more event. */
export const evolve = (state: Ingestion, event: IngestionEvent): Ingestion => {
  if (event.type === 'IngestionQueued') {
    const { ingestionId, practiceId, attempt, correlationId, courses, imported } = event.data;
    return {
      status: 'queued',
      ingestionId,
      practiceId,
      attempt,
      correlationId,
      courses,
      source: imported === undefined ? 'fhir_push' : 'csv',
      run: 0,
      chunksDone: 0,
      accepted: 0,
      rejected: 0,
    };
  }
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'IngestionStarted':
      return { ...state, status: 'processing', run: event.data.run };
    case 'RecordsProcessed':
      return {
        ...state,
        chunksDone: state.chunksDone + 1,
        accepted: state.accepted + event.data.accepted.length,
        rejected: state.rejected + event.data.rejected.length,
      };
    case 'IngestionCompleted':
      return { ...state, status: 'completed' };
    case 'IngestionFailed':
      return { ...state, status: 'failed' };
  }
};

/** Whether nothing more can happen to the ingestion. */
export const isTerminal = (state: Ingestion): boolean =>
  state.status === 'completed' || state.status === 'failed';

/** How a stream of an ingestion is read. */
export const ingestionFold: Fold<Ingestion, IngestionEvent> = { initial: noIngestion, evolve };
