import type { SubmissionSource } from '../../domain/birth-record/events.ts';
import type { StoredEvent } from '../../domain/event-log.ts';
import type {
  AcceptedEntry,
  IngestionEnvelope,
  IngestionEvent,
  RejectedEntry,
  SharedIngestionEvent,
  UndoneRecords,
} from '../../domain/submission/events.ts';
import { toSubmissionIngested } from '../../domain/submission/pushes.ts';
import {
  type Change,
  column,
  defineTable,
  type Handlers,
  isFirst,
  type RowOf,
  update,
  upsert,
} from '../projection.ts';

const ingestion = defineTable({
  name: 'ingestion',
  columns: {
    ingestion_id: column.text(),
    practice_id: column.text(),
    /** Null for an import. */
    key_id: column.textOrNull(),
    key_kind: column.textOrNull<'native' | 'partner'>(),
    source: column.text<SubmissionSource>(),
    /** Member id of the uploader of an import; null for a push. */
    started_by: column.textOrNull(),
    /** Keyed hash of an imported file; null for a push. */
    file_hash: column.textOrNull(),
    /** Numbers of the empty rows of an imported file; null for a push. */
    empty_rows: column.jsonbOrNull<readonly number[]>(),
    attempt: column.uuid(),
    correlation_id: column.text(),
    courses: column.integer(),
    status: column.text<'queued' | 'processing' | 'completed' | 'failed'>(),
    run: column.integer(),
    /** Revision of the last event: the expected revision of the next append, unless it has ended. */
    revision: column.bigint(),
    received_at: column.timestamptz(),
    /** Null until completed. */
    accepted: column.integerOrNull(),
    rejected: column.integerOrNull(),
    error: column.textOrNull(),
    exception: column.textOrNull(),
    /** ISO 8601 with offset, as in the event. */
    completed_at: column.textOrNull(),
    /** Start of the undo of an import, and the member who started it; null if not undone. */
    undo_begun_at: column.timestamptzOrNull(),
    undo_by: column.textOrNull(),
    undo_total: column.integerOrNull(),
    /** Progress of the undo; null until its first records are done. */
    undone: column.jsonbOrNull<UndoneRecords>(),
    /** ISO 8601 with offset, as in the event; null until all records are undone. */
    undone_at: column.textOrNull(),
  },
  key: ['ingestion_id'],
  indexes: [
    '(undo_begun_at) where undo_begun_at is not null and undone_at is null',
    '(practice_id, received_at desc)',
    "(received_at) where status in ('queued','processing')",
    '(practice_id, file_hash) where file_hash is not null',
    "(practice_id, received_at) where source = 'csv' and rejected > 0",
  ],
});

/** Outcomes of one chunk, in the order of the submission. */
const ingestionOutcome = defineTable({
  name: 'ingestion_outcome',
  columns: {
    ingestion_id: column.text(),
    chunk: column.integer(),
    accepted: column.json<readonly AcceptedEntry[]>(),
    rejected: column.json<readonly RejectedEntry[]>(),
    /** Positions of the rejected records; null for older chunks, which lack them. */
    rejected_at: column.jsonOrNull<readonly number[]>(),
  },
  key: ['ingestion_id', 'chunk'],
  indexes: [],
});

type IngestionRow = RowOf<typeof ingestion>;

const insertRow = (
  envelope: IngestionEnvelope,
  stored: StoredEvent,
  changes: Partial<IngestionRow> = {},
  isNew = isFirst(stored),
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
    isNew,
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

const buildEnd = (data: IngestionEvent<'SubmissionIngested'>['data']): Partial<IngestionRow> => ({
  status: 'completed',
  run: 1,
  accepted: data.accepted.length,
  rejected: data.rejected.length,
  completed_at: data.completedAt,
});

/** Receipts that senders poll. @see spec "Ingestion receipt" */
export const ingestionReceipts = {
  name: 'ingestion_receipts',
  version: 6,
  tables: [ingestion, ingestionOutcome],
  on: {
    IngestionQueued: (data, stored) => [insertRow(data, stored)],
    SubmissionIngested: (data, stored) => [
      insertRow(data, stored, buildEnd(data)),
      buildOutcome({ ...data, chunk: 0 }),
    ],
    PushesIngested: (data, stored) =>
      data.pushes.flatMap((push) => {
        const alone = toSubmissionIngested(data, push).data;
        const row = insertRow(alone, stored, buildEnd(alone), false);
        return [row, buildOutcome({ ...alone, chunk: 0 })];
      }),
    PushesTakenUp: () => [],
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
  } satisfies Handlers<IngestionEvent | SharedIngestionEvent>,
};

const toUndoneRecords = ({ records, voided, restored, voidedAgain, left }: UndoneRecords) => ({
  records,
  voided,
  restored,
  voidedAgain,
  left,
});

const buildOutcome = (data: IngestionEvent<'RecordsProcessed'>['data']): Change =>
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
