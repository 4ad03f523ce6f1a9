import {
  ATTRIBUTED_PARTS,
  type AttributedPart,
  type BirthRecordEvent,
  type RecordVersion,
} from '../domain/course-of-care/events.ts';
import type { StoredEvent } from '../domain/event-log.ts';
import { type Change, type Handlers, isFirst, patch, put, type ReadTable } from './projection.ts';

/** Row of `read.career_entry`: who has a part in a birth record, and as whom the partner named them. */
export interface CareerEntryRow {
  readonly submission_uuid: string;
  readonly part: AttributedPart;
  readonly practice_id: string;
  readonly stream: string;
  /** Provider whom the record is attributed to now; null: nobody has this part any more. */
  readonly provider_id: string | null;
  /** Provider whom the version that was sent names; another one after a merge. */
  readonly named_id: string | null;
  /** When that version was recorded. */
  readonly named_at: Date;
}

const careerEntry: ReadTable = {
  name: 'career_entry',
  columns: {
    submission_uuid: 'uuid not null',
    part: 'text not null',
    practice_id: 'text not null',
    stream: 'text not null',
    provider_id: 'text',
    named_id: 'text',
    named_at: 'timestamptz not null',
  },
  key: ['submission_uuid', 'part'],
  indexes: ['(provider_id, stream)'],
};

const entryOf = (data: RecordVersion, part: AttributedPart, stored: StoredEvent): Change =>
  put(
    'career_entry',
    {
      submission_uuid: data.submissionUuid,
      part,
      practice_id: data.practiceId,
      stream: stored.stream,
      provider_id: data.course[part],
      named_id: data.course[part],
      named_at: stored.metadata.recordedAt,
    },
    isFirst(stored),
  );

/**
 * The career log of every provider: a row for each record and part. Whether the record is live, and
 * where the birth was, is the records' own table to say.
 */
export const careerEntries = {
  name: 'career_entries',
  version: 1,
  tables: [careerEntry],
  on: {
    BirthRecorded: (data, stored) =>
      ATTRIBUTED_PARTS.filter((part) => data.course[part] !== null).map((part) =>
        entryOf(data, part, stored),
      ),
    // Only a partner's amendment states an attribution; any other leaves it standing.
    BirthAmended: (data, stored) =>
      data.keyKind === 'partner' ? ATTRIBUTED_PARTS.map((part) => entryOf(data, part, stored)) : [],
    BirthRetracted: () => [],
    DuplicateFlagged: () => [],
    DuplicateDismissed: () => [],
    DuplicateFlagRestored: () => [],
    AttributionRepointed: ({ submissionUuid, part, to }) => [
      patch('career_entry', { submission_uuid: submissionUuid, part }, { provider_id: to }),
    ],
  } satisfies Handlers<BirthRecordEvent>,
};
