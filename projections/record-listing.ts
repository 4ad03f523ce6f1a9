import type { CourseOfCare } from '../domain/course-of-care/canonical-record.ts';
import type { BirthRecordEvent, RecordVersion } from '../domain/course-of-care/events.ts';
import { firstBirthDate } from '../domain/course-of-care/first-birth-date.ts';
import { foldedChartNumber, nameWordsOf } from '../domain/course-of-care/search-words.ts';
import type { StoredEvent } from '../domain/event-log.ts';
import { type Handlers, isFirst, patch, put, type ReadTable, type Row } from './projection.ts';

/** Row of `read.record_listing`: a record as lists show and searches find it. */
export interface RecordListingRow {
  readonly submission_uuid: string;
  readonly practice_id: string;
  readonly chart_number: string | null;
  /** The chart number without case and accents, and from its end: people know the last digits. */
  readonly chart_folded: string | null;
  readonly chart_backwards: string | null;
  readonly mother_name: string | null;
  readonly child_names: string | null;
  /** Date of the first dated birth, `YYYY-MM-DD`, or `YYYY` where no more is kept. */
  readonly born: string | null;
  readonly children: number;
  readonly place: string | null;
  readonly status: 'live' | 'voided';
  readonly version: number;
  readonly source: string;
  /** How the first version came: what was pre-filled from an EHR is not in the births log. */
  readonly first_source: string;
  readonly key_kind: 'native' | 'partner' | null;
  /** It is flagged; whether its pair is still open, `read.open_duplicate_pair` says. */
  readonly is_suspected_duplicate: boolean;
  /** Words of all names, a text search vector. */
  readonly words: string;
  readonly changed_at: Date;
}

const recordListing: ReadTable = {
  name: 'record_listing',
  columns: {
    submission_uuid: 'uuid not null',
    practice_id: 'text not null',
    chart_number: 'text',
    chart_folded: 'text collate "C"',
    chart_backwards: 'text collate "C"',
    mother_name: 'text',
    child_names: 'text',
    born: 'text',
    children: 'integer not null',
    place: 'text',
    status: 'text not null',
    version: 'integer not null',
    source: 'text not null',
    first_source: 'text not null',
    key_kind: 'text',
    is_suspected_duplicate: 'boolean not null',
    words: 'tsvector not null',
    changed_at: 'timestamptz not null',
  },
  key: ['submission_uuid'],
  indexes: [
    '(practice_id, changed_at desc)',
    "(practice_id, born desc nulls last) where status = 'live'",
    '(practice_id, chart_folded)',
    '(practice_id, chart_backwards)',
    "(practice_id, changed_at desc) where is_suspected_duplicate and status = 'live'",
    'using gin (words)',
  ],
};

/** What lists of records show, and what a search finds them by; voided ones too. */
export const recordListings = {
  name: 'record_listing',
  version: 3,
  tables: [recordListing],
  on: {
    BirthRecorded: (data, stored) => {
      const row = contentOf(data, stored);
      row['submission_uuid'] = data.submissionUuid;
      row['practice_id'] = data.practiceId;
      row['first_source'] = data.source;
      row['is_suspected_duplicate'] = false;
      return [put('record_listing', row, isFirst(stored))];
    },
    BirthAmended: (data, stored) => [patch('record_listing', keyOf(data), contentOf(data, stored))],
    BirthRetracted: (data, stored) => [
      patch('record_listing', keyOf(data), {
        ...changedAt(stored),
        status: 'voided',
        version: data.version,
      }),
    ],
    DuplicateFlagged: (data, stored) => [
      patch('record_listing', keyOf(data), { ...changedAt(stored), is_suspected_duplicate: true }),
    ],
    DuplicateDismissed: (data, stored) => [
      patch('record_listing', keyOf(data), { ...changedAt(stored), is_suspected_duplicate: false }),
    ],
    DuplicateFlagRestored: (data, stored) => [
      patch('record_listing', keyOf(data), { ...changedAt(stored), is_suspected_duplicate: true }),
    ],
    AttributionRepointed: (data, stored) => [
      patch('record_listing', keyOf(data), changedAt(stored)),
    ],
  } satisfies Handlers<BirthRecordEvent>,
};

const keyOf = (data: { readonly submissionUuid: string }): Row => ({
  submission_uuid: data.submissionUuid,
});

const changedAt = ({ metadata }: StoredEvent): Row => ({ changed_at: metadata.recordedAt });

const contentOf = (data: RecordVersion, stored: StoredEvent): Record<string, unknown> => {
  const { course } = data;
  const { chart_number: chartNumber, mother, children } = course;
  const folded = chartNumber === null ? null : foldedChartNumber(chartNumber);
  return {
    changed_at: stored.metadata.recordedAt,
    chart_number: chartNumber,
    chart_folded: folded,
    chart_backwards: folded === null ? null : [...folded].reverse().join(''),
    mother_name: fullName(mother),
    child_names: children.flatMap((child) => fullName(child) ?? []).join(', ') || null,
    born: firstBirthDate(children),
    children: children.length,
    place: course.place_of_birth,
    status: 'live',
    version: data.version,
    source: data.source,
    key_kind: data.keyKind,
    words: vectorOf(course),
  };
};

const fullName = ({
  given_names,
  family_name,
}: {
  readonly given_names: readonly string[];
  readonly family_name: string | null;
}): string | null => [...given_names, family_name ?? ''].join(' ').trim() || null;

// Words are letters and digits only: none needs escaping inside its quotes.
const vectorOf = (course: CourseOfCare): string =>
  nameWordsOf(course)
    .map((word) => `'${word}'`)
    .join(' ');
