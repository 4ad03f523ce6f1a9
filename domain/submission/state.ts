import type { SubmissionSource } from '../birth-record/events.ts';
import type { Fold } from '../fold.ts';
import type { IngestionEnvelope, IngestionEvent, UndoneRecords } from './events.ts';

/** State of an ingestion. @see spec "Ingestion status" */
export type Ingestion = { readonly status: 'none' } | KnownIngestion;

export interface ImportUndo {
  readonly total: number;
  readonly done: UndoneRecords;
  readonly isOver: boolean;
}

const NOTHING_UNDONE: UndoneRecords = {
  records: 0,
  voided: 0,
  restored: 0,
  voidedAgain: 0,
  left: 0,
};

interface KnownIngestion {
  readonly status: 'queued' | 'processing' | 'completed' | 'failed';
  readonly ingestionId: string;
  readonly practiceId: string;
  readonly source: SubmissionSource;
  readonly attempt: string;
  readonly correlationId: string;
  readonly courses: number;
  /** Number of attempts started; 0 while queued. */
  readonly run: number;
  readonly chunksDone: number;
  readonly accepted: number;
  readonly rejected: number;
  /** `null` unless it is being undone. */
  readonly undo: ImportUndo | null;
}

export const noIngestion: Ingestion = { status: 'none' };

export const toQueuedIngestion = (head: IngestionEnvelope): KnownIngestion => {
  const { ingestionId, practiceId, attempt, correlationId, courses, imported } = head;
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
    undo: null,
  };
};

export const getEnvelope = (event: IngestionEvent): IngestionEnvelope | undefined => {
  switch (event.type) {
    case 'IngestionQueued':
    case 'SubmissionIngested':
      return event.data;
    case 'IngestionStarted':
    case 'IngestionFailed':
      return event.data.head;
    default:
      return undefined;
  }
};

export const evolve = (before: Ingestion, event: IngestionEvent): Ingestion => {
  const head = getEnvelope(event);
  const state = head === undefined ? before : toQueuedIngestion(head);
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'IngestionQueued':
      return state;
    case 'SubmissionIngested':
      return { ...withOutcomes(state, event.data), status: 'completed', run: 1 };
    case 'IngestionStarted':
      return { ...state, status: 'processing', run: event.data.run };
    case 'RecordsProcessed':
      return withOutcomes(state, event.data);
    case 'IngestionCompleted':
      return { ...state, status: 'completed' };
    case 'IngestionFailed':
      return { ...state, status: 'failed' };
    case 'ImportUndoBegun': {
      const undo = { total: event.data.records, done: NOTHING_UNDONE, isOver: false };
      return { ...state, undo };
    }
    case 'ImportUndoProgressed':
      return { ...state, undo: undoAfter(state, event.data, false) };
    case 'ImportUndone':
      return { ...state, undo: undoAfter(state, event.data, true) };
  }
};

const undoAfter = (
  { undo }: KnownIngestion,
  { records, voided, restored, voidedAgain, left }: UndoneRecords,
  isOver: boolean,
): ImportUndo => ({
  total: undo?.total ?? records,
  done: { records, voided, restored, voidedAgain, left },
  isOver,
});

const withOutcomes = (
  state: KnownIngestion,
  {
    accepted,
    rejected,
  }: Pick<IngestionEvent<'SubmissionIngested'>['data'], 'accepted' | 'rejected'>,
): KnownIngestion => ({
  ...state,
  chunksDone: state.chunksDone + 1,
  accepted: state.accepted + accepted.length,
  rejected: state.rejected + rejected.length,
});

export const isTerminal = ({ status }: Pick<Ingestion, 'status'>): boolean =>
  status === 'completed' || status === 'failed';

export const ingestionFold: Fold<Ingestion, IngestionEvent> = { initial: noIngestion, evolve };
