import type { BirthRecordEvent, RecordVersion } from '../../domain/birth-record/events.ts';
import { findFirstBirthDate } from '../../domain/course/birth-times.ts';
import type { CourseOfCare, Mother } from '../../domain/course/course.ts';
import { extractNameWords, foldChartNumber } from '../../domain/course/search-words.ts';
import { upcastUnknownCounts } from '../../domain/course/unknown-counts.ts';
import type { StoredEvent } from '../../domain/event-log.ts';
import {
  type Handlers,
  isFirst,
  type ReadTable,
  type ReadView,
  type Row,
  update,
  upsert,
} from '../projection.ts';
import { encodeCourse, type StoredCourse } from './course-codec.ts';

/** Columns of `read.birth_record` for lists and searches. */
export interface RecordSummary {
  /** Chart number without case and accents. */
  readonly chart_folded: string | null;
  readonly mother_name: string | null;
  readonly child_names: string | null;
  /** Date of the first dated birth: `YYYY-MM-DD`, or `YYYY` if only the year is stored. */
  readonly born: string | null;
  readonly children: number;
  /** Number of `children` that were fetal deaths. */
  readonly fetal_deaths: number;
  readonly place: string | null;
  /** True if the first version was pre-filled from an EHR. The births log omits such births. */
  readonly is_prefilled: boolean;
  /** Text search vector of all names and birth dates. */
  readonly words: string;
}

/** Types of the summary columns of variable length. */
export const SUMMARY_COLUMNS = {
  chart_folded: 'text collate "C"',
  mother_name: 'text',
  child_names: 'text',
  born: 'text',
  place: 'text',
  words: 'tsvector not null',
} as const;

/** Row of `read.birth_record`: current state of a birth record. */
export interface BirthRecordRow extends RecordSummary {
  readonly submission_uuid: string;
  readonly practice_id: string;
  readonly stream: string;
  /** Revision of the stream's last event: the expected revision of the next append. */
  readonly revision: string;
  readonly chart_number: string | null;
  readonly status: 'live' | 'voided';
  readonly version: number;
  readonly stamp: string | null;
  readonly source: string;
  readonly key_kind: 'native' | 'partner' | null;
  readonly duplicate_of: string | null;
  /** True if the record was ever flagged or reviewed as a duplicate of another one. */
  readonly was_flagged: boolean;
  /** Keys of the duplicate check while the record is live. */
  readonly fingerprints: readonly string[];
  /** Decode with `decodeCourse`. */
  readonly course: StoredCourse;
  readonly providers: unknown;
  /** Provider that the record is currently attributed to; `course` contains the one submitted. */
  readonly attendant: string | null;
  readonly certifier: string | null;
  /** Author of the current version. */
  readonly actor_kind: string;
  readonly actor_id: string;
  /** Log position of the record's first event: orders match candidates by age. */
  readonly recorded_position: string;
  /** Log position of the record's last event: the order of exports. */
  readonly changed_position: string;
  readonly recorded_at: Date;
  readonly changed_at: Date;
  /** Null while live. */
  readonly voided_at: Date | null;
}

const birthRecord: ReadTable = {
  name: 'birth_record',
  // One table serves decisions and lists, because two would repeat a third of the columns. Types with
  // the largest alignment come first, which avoids padding.
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
    // json, not jsonb: it is never searched, and parsing it dominated the cost of a write.
    course: 'json not null',
    providers: 'json not null',
    attendant: 'text',
    certifier: 'text',
  },
  key: ['submission_uuid'],
  // Slowest first, because a rebuild creates two at a time.
  indexes: [
    // Small pending list, because every search scans it.
    'using gin (words) with (gin_pending_list_limit = 64)',
    // No pending list: every lookup would scan it.
    'using gin (fingerprints) with (fastupdate = off)',
    // Staff search by the last digits.
    '(practice_id, reverse(chart_folded))',
    // Looked up only by equality, so a four-byte hash is enough.
    '(hashtext(stream))',
    "(practice_id) where status = 'voided'",
    '(practice_id, changed_at desc)',
    '(practice_id, changed_position)',
    "(practice_id, born desc nulls last) where status = 'live'",
    '(practice_id, chart_folded)',
    "(practice_id) where was_flagged and status = 'live'",
  ],
  withoutStatistics: [
    // Index keys are nearly unique, so statistics would not change the plan.
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

/** Live and voided records, for decisions and for lists. @see spec "Record lifecycle" */
export const birthRecords = {
  name: 'birth_records',
  version: 10,
  tables: [birthRecord],
  on: {
    BirthRecorded: (data, stored) => {
      const row = buildVersion(data, stored);
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
    BirthAmended: (data, stored) => [
      update('birth_record', buildKey(data), buildVersion(data, stored)),
    ],
    BirthRetracted: (data, stored) => [
      update('birth_record', buildKey(data), {
        ...buildChange(stored),
        status: 'voided',
        version: data.version,
        actor_kind: stored.metadata.actor.kind,
        actor_id: stored.metadata.actor.id,
        voided_at: stored.metadata.recordedAt,
      }),
    ],
    DuplicateFlagged: (data, stored) => [
      update('birth_record', buildKey(data), buildFlag(data.duplicateOf, stored)),
    ],
    DuplicateDismissed: (data, stored) => [
      update('birth_record', buildKey(data), buildFlag(data.standingFlag ?? null, stored)),
    ],
    DuplicateFlagRestored: (data, stored) => [
      update(
        'birth_record',
        buildKey(data),
        buildFlag(data.standingFlag ?? data.duplicateOf, stored),
      ),
    ],
    RevivalKept: (data, stored) => [update('birth_record', buildKey(data), buildChange(stored))],
    QuestionsConfirmed: (data, stored) => [
      update('birth_record', buildKey(data), buildChange(stored)),
    ],
    AttributionRepointed: (data, stored) => [
      update('birth_record', buildKey(data), { ...buildChange(stored), [data.part]: data.to }),
    ],
  } satisfies Handlers<BirthRecordEvent>,
};

const buildKey = (data: { readonly submissionUuid: string }): Row => ({
  submission_uuid: data.submissionUuid,
});

const buildChange = (stored: StoredEvent): Row => ({
  revision: stored.revision.toString(),
  changed_position: stored.position.toString(),
  changed_at: stored.metadata.recordedAt,
});

const buildFlag = (duplicateOf: string | null, stored: StoredEvent): Row => ({
  ...buildChange(stored),
  duplicate_of: duplicateOf,
  was_flagged: true,
});

/** Columns that a new version sets. Avoids spreads: a rebuild calls this for every version. */
const buildVersion = (data: RecordVersion, stored: StoredEvent): Record<string, unknown> => {
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

/** Builds the summary columns of a version. */
export const toSummary = (course: CourseOfCare): Record<string, unknown> => {
  const { chart_number: chartNumber, mother, children } = course;
  return {
    chart_folded: chartNumber === null ? null : foldChartNumber(chartNumber),
    mother_name: formatName(mother),
    child_names: children.flatMap((child) => formatName(child) ?? []).join(', ') || null,
    born: findFirstBirthDate(children),
    children: children.length,
    fetal_deaths: children.filter(({ fetal_death: isFetalDeath }) => isFetalDeath === true).length,
    place: course.place_of_birth,
    words: buildVector(course),
  };
};

const formatName = ({
  given_names,
  family_name,
  suffix,
}: Pick<Mother, 'given_names' | 'family_name' | 'suffix'>): string | null =>
  [...given_names, family_name ?? '', suffix ?? ''].join(' ').trim() || null;

// Words contain only letters and digits, so the quotes need no escaping.
const buildVector = (course: CourseOfCare): string =>
  [...extractNameWords(course), ...listBirthDays(course)].map((word) => `'${word}'`).join(' ');

const WHOLE_DATE_LENGTH = 'YYYY-MM-DD'.length;

/** Full birth dates of mother and children as search words. A masked date has only a year and is omitted. */
const listBirthDays = ({ mother, children }: CourseOfCare): readonly string[] => {
  const days = new Set<string>();
  for (const { birth_date: day } of [mother, ...children])
    if (day?.length === WHOLE_DATE_LENGTH) days.add(toBirthDayWord(day));
  return [...days];
};

/** Search word of a birth date. The prefix keeps words of a search text from matching it. */
export const toBirthDayWord = (day: string): string => `=${day}`;

/** Row of `read.record_listing`: a record in lists and searches. */
export interface RecordListingRow
  extends RecordSummary,
    Pick<
      BirthRecordRow,
      | 'submission_uuid'
      | 'practice_id'
      | 'chart_number'
      | 'status'
      | 'version'
      | 'source'
      | 'key_kind'
      | 'changed_at'
    > {
  /** Folded chart number, reversed: staff search by the last digits. */
  readonly chart_backwards: string | null;
}

/** Live and voided records, with the columns for lists and searches. */
export const RECORD_LISTING = {
  name: 'record_listing',
  version: 6,
  query: (schema) => `
    select submission_uuid, practice_id, chart_number, chart_folded,
      reverse(chart_folded) as chart_backwards, mother_name, child_names, born, children,
      fetal_deaths, place, status, version, source, key_kind, is_prefilled, words, changed_at
    from "${schema}".birth_record`,
} as const satisfies ReadView;
