import type { BirthRecordEvent, RecordVersion } from '../../domain/birth-record/events.ts';
import { findFirstBirthDate } from '../../domain/course/birth-times.ts';
import type { CourseOfCare } from '../../domain/course/course.ts';
import { extractNameWords, foldChartNumber } from '../../domain/course/search-words.ts';
import { upcastUnknownCounts } from '../../domain/course/unknown-counts.ts';
import type { StoredEvent } from '../../domain/event-log.ts';
import { type Handlers, isFirst, type ReadTable, type Row, update, upsert } from '../projection.ts';
import { encodeCourse, type StoredCourse } from './course-codec.ts';

/** Columns of `read.birth_record` that lists show and searches look in. */
export interface RecordSummary {
  /** The chart number without case and accents. */
  readonly chart_folded: string | null;
  readonly mother_name: string | null;
  readonly child_names: string | null;
  /** Date of the first dated birth, `YYYY-MM-DD`, or `YYYY` where no more is kept. */
  readonly born: string | null;
  readonly children: number;
  /** How many of them were fetal deaths. */
  readonly fetal_deaths: number;
  readonly place: string | null;
  /** The first version was pre-filled from an EHR: such births are not in the births log. */
  readonly is_prefilled: boolean;
  /** Words of all names, and days of birth, a text search vector. */
  readonly words: string;
}

/** Their types, as far as their length varies. */
export const SUMMARY_COLUMNS = {
  chart_folded: 'text collate "C"',
  mother_name: 'text',
  child_names: 'text',
  born: 'text',
  place: 'text',
  words: 'tsvector not null',
} as const;

/** Row of `read.birth_record`: what a practice holds under one chart number now. */
export interface BirthRecordRow extends RecordSummary {
  readonly submission_uuid: string;
  readonly practice_id: string;
  readonly stream: string;
  /** Revision of the stream's last event, the fence of the next append. */
  readonly revision: string;
  readonly chart_number: string | null;
  readonly status: 'live' | 'voided';
  readonly version: number;
  readonly stamp: string | null;
  readonly source: string;
  readonly key_kind: 'native' | 'partner' | null;
  readonly duplicate_of: string | null;
  /** A flag or a person's word has named another record as one that it looks like. */
  readonly was_flagged: boolean;
  /** By them the duplicate check finds it while it is live. */
  readonly fingerprints: readonly string[];
  /** Short: `decodeCourse` gives the course of care. */
  readonly course: StoredCourse;
  readonly providers: unknown;
  /** Providers that the record is attributed to now; `course` names those that were sent. */
  readonly attendant: string | null;
  readonly certifier: string | null;
  /** Who made the version that is held. */
  readonly actor_kind: string;
  readonly actor_id: string;
  /** Place of the record's first event in the log: the order of age among look-alikes. */
  readonly recorded_position: string;
  /** Place of the record's last event in the log: exports read in this order. */
  readonly changed_position: string;
  /** The partner feed key that sent the version that is held; null: it came in another way. */
  readonly recorded_at: Date;
  readonly changed_at: Date;
  /** Null while it is live. */
  readonly voided_at: Date | null;
}

const birthRecord: ReadTable = {
  name: 'birth_record',
  // One table for what is decided on and what is listed: a second one repeated a third of it. Long
  // types come first, so that nothing is filled up to where the next may begin.
  columns: {
    recorded_position: 'bigint not null',
    changed_position: 'bigint not null',
    revision: 'bigint not null',
    recorded_at: 'timestamptz not null',
    changed_at: 'timestamptz not null',
    voided_at: 'timestamptz',
    version: 'integer not null',
    children: 'smallint not null',
    fetal_deaths: 'smallint not null',
    is_prefilled: 'boolean not null',
    was_flagged: 'boolean not null',
    submission_uuid: 'uuid not null',
    duplicate_of: 'uuid',
    practice_id: 'text not null',
    status: 'text not null',
    source: 'text not null',
    key_kind: 'text',
    chart_number: 'text',
    ...SUMMARY_COLUMNS,
    stream: 'text not null',
    stamp: 'text',
    actor_kind: 'text not null',
    actor_id: 'text not null',
    fingerprints: 'text[] not null',
    // Plain json: it is not searched, and taking it apart was most of what writing a record cost.
    course: 'json not null',
    providers: 'json not null',
    attendant: 'text',
    certifier: 'text',
  },
  key: ['submission_uuid'],
  // Those first that take longest: a rebuild makes two at a time.
  indexes: [
    // What is still to be sorted in is read by every search, and takes room: not more than 64 KiB.
    'using gin (words) with (gin_pending_list_limit = 64)',
    // At once, not by a list of what is still to be sorted in, which every look-up would read.
    'using gin (fingerprints) with (fastupdate = off)',
    // People know the last digits.
    '(practice_id, reverse(chart_folded))',
    // Looked up by equality only: four bytes of it find the one row that is meant.
    '(hashtext(stream))',
    "(practice_id) where status = 'voided'",
    '(practice_id, changed_at desc)',
    '(practice_id, changed_position)',
    "(practice_id, born desc nulls last) where status = 'live'",
    '(practice_id, chart_folded)',
    "(practice_id) where was_flagged and status = 'live'",
  ],
  unasked: [
    // Found by indexes whose keys are nearly all different: the plan is the same without.
    'stream',
    'fingerprints',
    'recorded_position',
    'mother_name',
    'child_names',
    'stamp',
    'actor_kind',
    'actor_id',
    'children',
    'fetal_deaths',
    'place',
    'course',
    'providers',
    'attendant',
    'certifier',
    'revision',
    'recorded_at',
    'version',
    'key_kind',
  ],
};

/** Live and voided records, as decisions need and as lists show them. @see spec "Record lifecycle" */
export const birthRecords = {
  name: 'birth_records',
  version: 10,
  tables: [birthRecord],
  on: {
    BirthRecorded: (data, stored) => {
      const row = versionOf(data, stored);
      row['submission_uuid'] = data.submissionUuid;
      row['practice_id'] = data.practiceId;
      row['stream'] = stored.stream;
      row['duplicate_of'] = null;
      row['was_flagged'] = false;
      row['recorded_position'] = stored.position.toString();
      row['recorded_at'] = stored.metadata.recordedAt;
      row['is_prefilled'] = data.source === 'ehr_pull';
      return [upsert('birth_record', row, isFirst(stored))];
    },
    BirthAmended: (data, stored) => [update('birth_record', keyOf(data), versionOf(data, stored))],
    BirthRetracted: (data, stored) => [
      update('birth_record', keyOf(data), {
        ...changeOf(stored),
        status: 'voided',
        version: data.version,
        actor_kind: stored.metadata.actor.kind,
        actor_id: stored.metadata.actor.id,
        voided_at: stored.metadata.recordedAt,
      }),
    ],
    DuplicateFlagged: (data, stored) => [
      update('birth_record', keyOf(data), flagOf(data.duplicateOf, stored)),
    ],
    DuplicateDismissed: (data, stored) => [
      update('birth_record', keyOf(data), flagOf(data.standingFlag ?? null, stored)),
    ],
    DuplicateFlagRestored: (data, stored) => [
      update('birth_record', keyOf(data), flagOf(data.standingFlag ?? data.duplicateOf, stored)),
    ],
    RevivalKept: (data, stored) => [update('birth_record', keyOf(data), changeOf(stored))],
    QuestionsConfirmed: (data, stored) => [update('birth_record', keyOf(data), changeOf(stored))],
    AttributionRepointed: (data, stored) => [
      update('birth_record', keyOf(data), { ...changeOf(stored), [data.part]: data.to }),
    ],
  } satisfies Handlers<BirthRecordEvent>,
};

const keyOf = (data: { readonly submissionUuid: string }): Row => ({
  submission_uuid: data.submissionUuid,
});

const changeOf = (stored: StoredEvent): Row => ({
  revision: stored.revision.toString(),
  changed_position: stored.position.toString(),
  changed_at: stored.metadata.recordedAt,
});

const flagOf = (duplicateOf: string | null, stored: StoredEvent): Row => ({
  ...changeOf(stored),
  duplicate_of: duplicateOf,
  was_flagged: true,
});

/** What a version sets. Without spreads: a rebuild makes these by the hundred thousand. */
const versionOf = (data: RecordVersion, stored: StoredEvent): Record<string, unknown> => {
  const course = upcastUnknownCounts(data.course);
  const row = toSummary(course);
  row['revision'] = stored.revision.toString();
  row['changed_position'] = stored.position.toString();
  row['changed_at'] = stored.metadata.recordedAt;
  row['chart_number'] = data.course.chart_number;
  row['status'] = 'live';
  row['voided_at'] = null;
  row['version'] = data.version;
  row['stamp'] = data.stamp;
  row['source'] = data.source;
  row['key_kind'] = data.keyKind;
  row['actor_kind'] = stored.metadata.actor.kind;
  row['actor_id'] = stored.metadata.actor.id;
  row['fingerprints'] = data.fingerprints;
  row['course'] = encodeCourse(course, data.stamp);
  row['providers'] = data.providers;
  row['attendant'] = data.course.attendant;
  row['certifier'] = data.course.certifier;
  return row;
};

/** What a version says in lists. */
export const toSummary = (course: CourseOfCare): Record<string, unknown> => {
  const { chart_number: chartNumber, mother, children } = course;
  return {
    chart_folded: chartNumber === null ? null : foldChartNumber(chartNumber),
    mother_name: fullName(mother),
    child_names: children.flatMap((child) => fullName(child) ?? []).join(', ') || null,
    born: findFirstBirthDate(children),
    children: children.length,
    fetal_deaths: children.filter(({ fetal_death: isFetalDeath }) => isFetalDeath === true).length,
    place: course.place_of_birth,
    words: buildVector(course),
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
const buildVector = (course: CourseOfCare): string =>
  [...extractNameWords(course), ...listBirthDays(course)].map((word) => `'${word}'`).join(' ');

const WHOLE_DATE_LENGTH = 'YYYY-MM-DD'.length;

/** The days of birth of mother and children, as searches look for them; masked years are none. */
const listBirthDays = ({ mother, children }: CourseOfCare): readonly string[] => {
  const days = new Set<string>();
  for (const { birth_date: day } of [mother, ...children])
    if (day?.length === WHOLE_DATE_LENGTH) days.add(toBirthDayWord(day));
  return [...days];
};

/** A day of birth among the words of a record. No typed word begins like it, so none finds it by chance. */
export const toBirthDayWord = (day: string): string => `=${day}`;
