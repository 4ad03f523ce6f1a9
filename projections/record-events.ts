import type { BirthRecordEvent, SubmissionMark } from '../domain/course-of-care/events.ts';
import type { StoredEvent } from '../domain/event-log.ts';
import { type Change, type Handlers, put, type ReadTable } from './projection.ts';

/**
 * Row of `read.record_event`: one event of a record's history, without the values; those are the
 * log's to tell, of one record at a time.
 */
export interface RecordEventRow {
  readonly submission_uuid: string;
  /** Place in the record's stream, from 0. */
  readonly revision: string;
  readonly practice_id: string;
  readonly type: BirthRecordEvent['type'];
  /** Version that it made; null where it made none. */
  readonly version: number | null;
  readonly source: string | null;
  readonly key_kind: 'native' | 'partner' | null;
  readonly ingestion_id: string | null;
  readonly actor_kind: string;
  readonly actor_id: string;
  readonly at: Date;
}

const recordEvent: ReadTable = {
  name: 'record_event',
  columns: {
    submission_uuid: 'uuid not null',
    revision: 'bigint not null',
    practice_id: 'text not null',
    type: 'text not null',
    version: 'integer',
    source: 'text',
    key_kind: 'text',
    ingestion_id: 'text',
    actor_kind: 'text not null',
    actor_id: 'text not null',
    at: 'timestamptz not null',
  },
  key: ['submission_uuid', 'revision'],
  indexes: ['(practice_id, at desc)'],
};

/** Every record's history: what happened when, by whom and by which way. */
export const recordEvents = {
  name: 'record_events',
  version: 1,
  tables: [recordEvent],
  on: {
    BirthRecorded: (data, stored) => [
      rowOf(data, stored, { version: data.version, source: data.source, key_kind: data.keyKind }),
    ],
    BirthAmended: (data, stored) => [
      rowOf(data, stored, { version: data.version, source: data.source, key_kind: data.keyKind }),
    ],
    BirthRetracted: (data, stored) => [
      rowOf(data, stored, { version: data.version, source: data.source }),
    ],
    DuplicateFlagged: (data, stored) => [rowOf(data, stored)],
    DuplicateDismissed: (data, stored) => [rowOf(data, stored)],
    DuplicateFlagRestored: (data, stored) => [rowOf(data, stored)],
    AttributionRepointed: (data, stored) => [rowOf(data, stored)],
  } satisfies Handlers<BirthRecordEvent>,
};

const rowOf = (
  data: {
    readonly submissionUuid: string;
    readonly practiceId: string;
    readonly mark: SubmissionMark | null;
  },
  { revision, metadata, event }: StoredEvent,
  told: Partial<Pick<RecordEventRow, 'version' | 'source' | 'key_kind'>> = {},
): Change =>
  put(
    'record_event',
    {
      submission_uuid: data.submissionUuid,
      revision: revision.toString(),
      practice_id: data.practiceId,
      type: event.type,
      version: told.version ?? null,
      source: told.source ?? null,
      key_kind: told.key_kind ?? null,
      ingestion_id: data.mark?.ingestionId ?? null,
      actor_kind: metadata.actor.kind,
      actor_id: metadata.actor.id,
      at: metadata.recordedAt,
    },
    true,
  );
