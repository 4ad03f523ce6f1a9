import type { SubmissionSource } from '../../domain/birth-record/events.ts';
import type { StoredEvent } from '../../domain/event-log.ts';
import type {
  IngestionEnvelope,
  IngestionEvent,
  RecordsProcessed,
  UndoneRecords,
} from '../../domain/submission/events.ts';
import {
  type Change,
  type Handlers,
  isFirst,
  type ReadTable,
  update,
  upsert,
} from '../projection.ts';

/** Row of `read.ingestion`: where an ingestion stands. */
export interface IngestionRow {
  readonly ingestion_id: string;
  readonly practice_id: string;
  /** The key that sent it; null for an import. */
  readonly key_id: string | null;
  readonly key_kind: 'native' | 'partner' | null;
  readonly source: SubmissionSource;
  /** Member id of who brought an import; null for a push. */
  readonly started_by: string | null;
  /** Keyed hash of an imported file; null for a push. */
  readonly file_hash: string | null;
  /** Row numbers of an imported file that hold nothing; null for a push. */
  readonly empty_rows: unknown;
  readonly attempt: string;
  readonly correlation_id: string;
  readonly courses: number;
  readonly status: 'queued' | 'processing' | 'completed' | 'failed';
  /** Times a worker has begun. */
  readonly run: number;
  /** Revision of the last event seen, the fence of the next append. */
  readonly revision: string;
  readonly received_at: Date;
  readonly accepted: number | null;
  readonly rejected: number | null;
  readonly error: string | null;
  readonly exception: string | null;
  /** As in the event: ISO 8601 with offset. */
  readonly completed_at: string | null;
  /** When a person began to undo an import, and their member id; null: nobody did. */
  readonly undo_begun_at: Date | null;
  readonly undo_by: string | null;
  /** Records that it wrote. */
  readonly undo_total: number | null;
  /** As `UndoneRecords`: how far the undo is; null until its first records are through. */
  readonly undone: unknown;
  /** As in the event: ISO 8601 with offset; null while records are left. */
  readonly undone_at: string | null;
}

/** Row of `read.ingestion_outcome`: the outcomes of one chunk, in the order of the submission. */
export interface IngestionOutcomeRow {
  readonly ingestion_id: string;
  readonly chunk: number;
  readonly accepted: unknown;
  readonly rejected: unknown;
  /** Positions of the rejected ones; null in chunks that do not tell them. */
  readonly rejected_at: unknown;
}

const ingestion: ReadTable = {
  name: 'ingestion',
  columns: {
    ingestion_id: 'text not null',
    practice_id: 'text not null',
    key_id: 'text',
    key_kind: 'text',
    source: 'text not null',
    started_by: 'text',
    file_hash: 'text',
    empty_rows: 'jsonb',
    attempt: 'uuid not null',
    correlation_id: 'text not null',
    courses: 'integer not null',
    status: 'text not null',
    run: 'integer not null',
    revision: 'bigint not null',
    received_at: 'timestamptz not null',
    accepted: 'integer',
    rejected: 'integer',
    error: 'text',
    exception: 'text',
    completed_at: 'text',
    undo_begun_at: 'timestamptz',
    undo_by: 'text',
    undo_total: 'integer',
    undone: 'jsonb',
    undone_at: 'text',
  },
  key: ['ingestion_id'],
  indexes: [
    '(undo_begun_at) where undo_begun_at is not null and undone_at is null',
    '(practice_id, received_at desc)',
    "(received_at) where status in ('queued','processing')",
    '(practice_id, file_hash) where file_hash is not null',
    "(practice_id, received_at) where source = 'csv' and rejected > 0",
  ],
};

const ingestionOutcome: ReadTable = {
  name: 'ingestion_outcome',
  columns: {
    ingestion_id: 'text not null',
    chunk: 'integer not null',
    accepted: 'json not null',
    rejected: 'json not null',
    rejected_at: 'json',
  },
  key: ['ingestion_id', 'chunk'],
  indexes: [],
};

/** The row that an ingestion begins with. */
const begun = (
  head: IngestionEnvelope,
  stored: StoredEvent,
  changes: Partial<IngestionRow> = {},
): Change =>
  upsert(
    'ingestion',
    {
      ingestion_id: head.ingestionId,
      practice_id: head.practiceId,
      key_id: head.keyId,
      key_kind: head.keyKind,
      source: head.imported === undefined ? 'fhir_push' : 'csv',
      started_by: head.imported?.memberId ?? null,
      file_hash: head.imported?.fileHash ?? null,
      empty_rows: head.imported?.emptyRows ?? null,
      attempt: head.attempt,
      correlation_id: head.correlationId,
      courses: head.courses,
      status: 'queued',
      run: 0,
      revision: stored.revision.toString(),
      received_at: head.receivedAt,
      accepted: null,
      rejected: null,
      error: null,
      exception: null,
      completed_at: null,
      undo_begun_at: null,
      undo_by: null,
      undo_total: null,
      undone: null,
      undone_at: null,
      ...changes,
    },
    isFirst(stored),
  );

/** The row after one more event: the first one makes it, any other changes it. */
const moved = (
  data: { readonly ingestionId: string; readonly head?: IngestionEnvelope },
  stored: StoredEvent,
  changes: Partial<IngestionRow>,
): Change =>
  data.head === undefined
    ? update('ingestion', keyOf(data), { ...changes, revision: stored.revision.toString() })
    : begun(data.head, stored, changes);

/** Receipts: what an integrator polls for. @see spec "Ingestion receipt" */
export const ingestionReceipts = {
  name: 'ingestion_receipts',
  version: 6,
  tables: [ingestion, ingestionOutcome],
  on: {
    IngestionQueued: (data, stored) => [begun(data, stored)],
    SubmissionIngested: (data, stored) => [
      begun(data, stored, {
        status: 'completed',
        run: 1,
        accepted: data.accepted.length,
        rejected: data.rejected.length,
        completed_at: data.completedAt,
      }),
      outcomeOf({ ...data, chunk: 0 }),
    ],
    IngestionStarted: (data, stored) => [
      moved(data, stored, { status: 'processing', run: data.run }),
    ],
    RecordsProcessed: (data, stored) => [outcomeOf(data), moved(data, stored, {})],
    IngestionCompleted: (data, stored) => [
      moved(data, stored, {
        status: 'completed',
        accepted: data.accepted,
        rejected: data.rejected,
        completed_at: data.completedAt,
      }),
    ],
    IngestionFailed: (data, stored) => [
      moved(data, stored, {
        status: 'failed',
        error: data.error,
        exception: data.exception,
        completed_at: data.completedAt,
      }),
    ],
    ImportUndoBegun: (data, stored) => [
      moved(data, stored, {
        undo_begun_at: new Date(stored.metadata.recordedAt),
        undo_by: stored.metadata.actor.id,
        undo_total: data.records,
      }),
    ],
    ImportUndoProgressed: (data, stored) => [moved(data, stored, { undone: undoneOf(data) })],
    ImportUndone: (data, stored) => [
      moved(data, stored, { undone: undoneOf(data), undone_at: data.undoneAt }),
    ],
  } satisfies Handlers<IngestionEvent>,
};

const undoneOf = ({ records, voided, restored, voidedAgain, left }: UndoneRecords) => ({
  records,
  voided,
  restored,
  voidedAgain,
  left,
});

const outcomeOf = (data: RecordsProcessed['data']): Change =>
  upsert(
    'ingestion_outcome',
    {
      ...keyOf(data),
      chunk: data.chunk,
      accepted: data.accepted,
      rejected: data.rejected,
      rejected_at: data.rejectedAt ?? null,
    },
    // A chunk is counted once.
    true,
  );

const keyOf = (data: { readonly ingestionId: string }) => ({ ingestion_id: data.ingestionId });

/** A push as the log of recent ingestions shows it: no outcome of any one record. */
export interface ListedPush {
  readonly ingestionId: string;
  readonly receivedAt: Date;
  readonly keyName: string | null;
  /** Null with a native key. */
  readonly partnerName: string | null;
  readonly status: 'queued' | 'processing' | 'completed' | 'failed';
  readonly records: number;
  /** Null until it is completed. */
  readonly accepted: number | null;
  readonly rejected: number | null;
  /** The fixed sentence of a failed one. */
  readonly error: string | null;
}

/** A stretch of the newest pushes. */
export interface PushQuery {
  /** How many newer ones to leave out. */
  readonly from: number;
  readonly count: number;
  /** Older ones than this many are not looked at, nor counted. */
  readonly most: number;
}

/** The newest pushes to a practice, newest first. */
export type FindPushes = (
  practiceId: string,
  asked: PushQuery,
) => Promise<{ readonly total: number; readonly pushes: readonly ListedPush[] }>;
