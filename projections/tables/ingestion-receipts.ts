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

/** Row of `read.ingestion`: state of an ingestion. */
export interface IngestionRow {
  readonly ingestion_id: string;
  readonly practice_id: string;
  /** Null for an import. */
  readonly key_id: string | null;
  readonly key_kind: 'native' | 'partner' | null;
  readonly source: SubmissionSource;
  /** Member id of the uploader of an import; null for a push. */
  readonly started_by: string | null;
  /** Keyed hash of an imported file; null for a push. */
  readonly file_hash: string | null;
  /** Numbers of the empty rows of an imported file; null for a push. */
  readonly empty_rows: unknown;
  readonly attempt: string;
  readonly correlation_id: string;
  readonly courses: number;
  readonly status: 'queued' | 'processing' | 'completed' | 'failed';
  /** Number of times a worker has started it. */
  readonly run: number;
  /** Revision of the last event: the expected revision of the next append. */
  readonly revision: string;
  readonly received_at: Date;
  readonly accepted: number | null;
  readonly rejected: number | null;
  readonly error: string | null;
  readonly exception: string | null;
  /** ISO 8601 with offset, as in the event. */
  readonly completed_at: string | null;
  /** Start of the undo of an import, and the member who started it; null if not undone. */
  readonly undo_begun_at: Date | null;
  readonly undo_by: string | null;
  /** Number of records that the import wrote. */
  readonly undo_total: number | null;
  /** Progress of the undo, an `UndoneRecords`; null until its first records are done. */
  readonly undone: unknown;
  /** ISO 8601 with offset, as in the event; null until all records are undone. */
  readonly undone_at: string | null;
}

/** Row of `read.ingestion_outcome`: outcomes of one chunk, in the order of the submission. */
export interface IngestionOutcomeRow {
  readonly ingestion_id: string;
  readonly chunk: number;
  readonly accepted: unknown;
  readonly rejected: unknown;
  /** Positions of the rejected records; null for older chunks, which lack them. */
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

/** Inserts the row of an ingestion. */
const insertRow = (
  envelope: IngestionEnvelope,
  stored: StoredEvent,
  changes: Partial<IngestionRow> = {},
): Change =>
  upsert(
    'ingestion',
    {
      ingestion_id: envelope.ingestionId,
      practice_id: envelope.practiceId,
      key_id: envelope.keyId,
      key_kind: envelope.keyKind,
      source: envelope.imported === undefined ? 'fhir_push' : 'csv',
      started_by: envelope.imported?.memberId ?? null,
      file_hash: envelope.imported?.fileHash ?? null,
      empty_rows: envelope.imported?.emptyRows ?? null,
      attempt: envelope.attempt,
      correlation_id: envelope.correlationId,
      courses: envelope.courses,
      status: 'queued',
      run: 0,
      revision: stored.revision.toString(),
      received_at: envelope.receivedAt,
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

/** Changes the row of an ingestion, or inserts it if the event is the first one and contains the envelope. */
const changeRow = (
  data: { readonly ingestionId: string; readonly head?: IngestionEnvelope },
  stored: StoredEvent,
  changes: Partial<IngestionRow>,
): Change =>
  data.head === undefined
    ? update('ingestion', buildKey(data), { ...changes, revision: stored.revision.toString() })
    : insertRow(data.head, stored, changes);

/** Receipts that senders poll. @see spec "Ingestion receipt" */
export const ingestionReceipts = {
  name: 'ingestion_receipts',
  version: 6,
  tables: [ingestion, ingestionOutcome],
  on: {
    IngestionQueued: (data, stored) => [insertRow(data, stored)],
    SubmissionIngested: (data, stored) => [
      insertRow(data, stored, {
        status: 'completed',
        run: 1,
        accepted: data.accepted.length,
        rejected: data.rejected.length,
        completed_at: data.completedAt,
      }),
      buildOutcome({ ...data, chunk: 0 }),
    ],
    IngestionStarted: (data, stored) => [
      changeRow(data, stored, { status: 'processing', run: data.run }),
    ],
    RecordsProcessed: (data, stored) => [buildOutcome(data), changeRow(data, stored, {})],
    IngestionCompleted: (data, stored) => [
      changeRow(data, stored, {
        status: 'completed',
        accepted: data.accepted,
        rejected: data.rejected,
        completed_at: data.completedAt,
      }),
    ],
    IngestionFailed: (data, stored) => [
      changeRow(data, stored, {
        status: 'failed',
        error: data.error,
        exception: data.exception,
        completed_at: data.completedAt,
      }),
    ],
    ImportUndoBegun: (data, stored) => [
      changeRow(data, stored, {
        undo_begun_at: new Date(stored.metadata.recordedAt),
        undo_by: stored.metadata.actor.id,
        undo_total: data.records,
      }),
    ],
    ImportUndoProgressed: (data, stored) => [
      changeRow(data, stored, { undone: toUndoneRecords(data) }),
    ],
    ImportUndone: (data, stored) => [
      changeRow(data, stored, { undone: toUndoneRecords(data), undone_at: data.undoneAt }),
    ],
  } satisfies Handlers<IngestionEvent>,
};

const toUndoneRecords = ({ records, voided, restored, voidedAgain, left }: UndoneRecords) => ({
  records,
  voided,
  restored,
  voidedAgain,
  left,
});

const buildOutcome = (data: RecordsProcessed['data']): Change =>
  upsert(
    'ingestion_outcome',
    {
      ...buildKey(data),
      chunk: data.chunk,
      accepted: data.accepted,
      rejected: data.rejected,
      rejected_at: data.rejectedAt ?? null,
    },
    // The log contains one outcome per chunk.
    true,
  );

const buildKey = (data: { readonly ingestionId: string }) => ({ ingestion_id: data.ingestionId });
