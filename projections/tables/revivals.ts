import type { BirthRecordEvent } from '../../domain/birth-record/events.ts';
import {
  column,
  defineTable,
  type Handlers,
  type ReadView,
  type Row,
  type RowOf,
  update,
  upsert,
} from '../projection.ts';

const recordVoid = defineTable({
  name: 'record_void',
  columns: {
    submission_uuid: column.uuid(),
    /** Number of the version that would revive the record. */
    next_version: column.integer(),
    practice_id: column.text(),
    voided_at: column.timestamptz(),
    voided_by_kind: column.text(),
    voided_by_id: column.text(),
    reason: column.textOrNull(),
    /** Source of that version; null while voided. */
    revived_source: column.textOrNull(),
    revived_at: column.timestamptzOrNull(),
    revived_by_kind: column.textOrNull(),
    revived_by_id: column.textOrNull(),
    /** True if no decision is needed: the sender voided it and may revive it, or a person kept the revival. */
    is_decided: column.boolean(),
  },
  key: ['submission_uuid', 'next_version'],
  indexes: ["(practice_id) where revived_source = 'fhir_push' and not is_decided"],
});

const buildKey = (data: { readonly submissionUuid: string; readonly version: number }): Row => ({
  submission_uuid: data.submissionUuid,
  next_version: data.version,
});

/** An amendment of a live record matches no row. */
export const revivals = {
  name: 'overruled_voids',
  version: 2,
  tables: [recordVoid],
  on: {
    BirthAmended: (data, { metadata }) => [
      update('record_void', buildKey(data), {
        revived_source: data.source,
        revived_at: metadata.recordedAt,
        revived_by_kind: metadata.actor.kind,
        revived_by_id: metadata.actor.id,
      }),
    ],
    BirthRetracted: (data, { metadata }) => [
      upsert('record_void', {
        submission_uuid: data.submissionUuid,
        next_version: data.version + 1,
        practice_id: data.practiceId,
        voided_at: metadata.recordedAt,
        voided_by_kind: metadata.actor.kind,
        voided_by_id: metadata.actor.id,
        reason: data.reason ?? null,
        revived_source: null,
        revived_at: null,
        revived_by_kind: null,
        revived_by_id: null,
        is_decided: data.source !== 'manual',
      }),
    ],
    RevivalKept: (data) => [update('record_void', buildKey(data), { is_decided: true })],
  } satisfies Partial<Handlers<BirthRecordEvent>>,
};

export type PendingRevivalRow = Omit<RowOf<typeof recordVoid>, 'revived_at'> & {
  readonly revived_at: Date;
};

/** Same rule as `findPendingRevival`, which reads the events of one record. */
export const PENDING_REVIVALS = {
  name: 'overruled_void',
  version: 1,
  query: (schema) => `
    select void.*
    from "${schema}".record_void void
    join "${schema}".birth_record record using (submission_uuid)
    where void.revived_source = 'fhir_push' and not void.is_decided and record.status = 'live'
      and not exists (
        select from "${schema}".record_void later
        where later.submission_uuid = void.submission_uuid
          and later.next_version > void.next_version)`,
} as const satisfies ReadView;
