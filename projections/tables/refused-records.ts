import type { BirthRecordEvent, RecordVersion } from '../../domain/birth-record/events.ts';
import { parseReference } from '../../domain/course/chart-number.ts';
import { getDismissalKey, type Rejection } from '../../domain/course/rejections.ts';
import type { StoredEvent } from '../../domain/event-log.ts';
import type { IngestionEvent, SharedIngestionEvent } from '../../domain/submission/events.ts';
import { type ChunkOutcomes, listOutcomes } from '../../domain/submission/outcomes.ts';
import { getRefusedItemKey } from '../../domain/work-items/items.ts';
import { type Change, column, defineTable, type Handlers, update, upsert } from '../projection.ts';

/** Per chart number, the last refusal wins. */
const refusedRecord = defineTable({
  name: 'refused_record',
  columns: {
    practice_id: column.text(),
    /** @see getRefusedItemKey */
    item_key: column.text(),
    /** Null if the Bundle has no usable one. */
    chart_number: column.textOrNull(),
    ingestion_id: column.text(),
    refused_at: column.timestamptz(),
    rejections: column.jsonb<readonly Rejection[]>(),
    /** Dismissal keys of the rejections: a dismissal covers exactly these. */
    reasons: column.textArray(),
    /** False once a record with this chart number was accepted or entered. */
    is_open: column.boolean(),
  },
  key: ['practice_id', 'item_key'],
  indexes: ['(practice_id, refused_at) where is_open'],
});

/** Old chunks lack the practice and are omitted; their receipts list the refusals. */
export const refusedRecords = {
  name: 'refused_records',
  version: 3,
  tables: [refusedRecord],
  on: {
    SubmissionIngested: (data, stored) =>
      data.imported === undefined
        ? applyOutcomes({ ...data, chunk: 0 }, data.practiceId, stored)
        : [],
    PushesIngested: (data, stored) =>
      data.pushes.flatMap((push) => applyOutcomes({ ...push, chunk: 0 }, data.practiceId, stored)),
    RecordsProcessed: (data, stored) =>
      data.practiceId === undefined || data.source !== 'fhir_push'
        ? []
        : applyOutcomes(data, data.practiceId, stored),
    BirthRecorded: (data) => closeForRecord(data),
    BirthAmended: (data) => closeForRecord(data),
  } satisfies Partial<Handlers<IngestionEvent | SharedIngestionEvent | BirthRecordEvent>>,
};

/** Closes the refusal for the chart number of a record from any source. */
const closeForRecord = ({ practiceId, course }: RecordVersion): readonly Change[] =>
  course.chart_number === null ? [] : [closeRefusal(practiceId, course.chart_number)];

const closeRefusal = (practiceId: string, chartNumber: string): Change =>
  update(
    'refused_record',
    { practice_id: practiceId, item_key: getRefusedItemKey('', 0, chartNumber) },
    { is_open: false },
  );

/** Opens a refusal for each rejected item, and closes those whose chart number was accepted. */
const applyOutcomes = (
  outcomes: ChunkOutcomes & { readonly ingestionId: string },
  practiceId: string,
  { metadata }: StoredEvent,
): readonly Change[] => {
  if (outcomes.rejectedAt === undefined) return [];
  const { ingestionId } = outcomes;
  const refusedBefore = new Set<string>();
  const changes: Change[] = [];
  for (const { kind, position, entry } of listOutcomes(outcomes)) {
    const chartNumber = parseReference(entry, position);
    if (kind === 'rejected') {
      if (chartNumber !== null) refusedBefore.add(chartNumber);
      changes.push(
        upsert('refused_record', {
          practice_id: practiceId,
          item_key: getRefusedItemKey(ingestionId, position, chartNumber),
          chart_number: chartNumber,
          ingestion_id: ingestionId,
          refused_at: metadata.recordedAt,
          rejections: entry.rejections,
          reasons: entry.rejections.map(getDismissalKey),
          is_open: true,
        }),
      );
    }
    // The event of a new version closes the refusal, but precedes the refusals of this chunk.
    else if (chartNumber !== null && (entry.retracted === true || refusedBefore.has(chartNumber)))
      changes.push(closeRefusal(practiceId, chartNumber));
  }
  return changes;
};
