import type {
  BirthRecordEvent,
  RecordVersion,
  SubmissionSource,
} from '../../domain/birth-record/events.ts';
import { findFirstBirthDate } from '../../domain/course/birth-times.ts';
import type { CourseOfCare, Mother } from '../../domain/course/course.ts';
import { extractNameWords, foldChartNumber } from '../../domain/course/search-words.ts';
import { upcastUnknownCounts } from '../../domain/course/unknown-counts.ts';
import type { StoredEvent } from '../../domain/event-log.ts';
import type { NamedProvider } from '../../domain/provider/details.ts';
import {
  column,
  defineTable,
  type Handlers,
  isFirst,
  type ReadView,
  type Row,
  type RowOf,
  update,
  upsert,
} from '../projection.ts';
import { encodeCourse, type StoredCourse } from './course-codec.ts';

const birthRecord = defineTable({
  name: 'birth_record',
  // One table: two would repeat a third of the columns. Largest alignment first avoids padding.
  columns: {
    /** Log position of the record's first event: orders match candidates by age. */
    recorded_position: column.bigint(),
    /** Log position of the record's last event: the order of exports. */
    changed_position: column.bigint(),
    /** Revision of the stream's last event: the expected revision of the next append. */
    revision: column.bigint(),
    recorded_at: column.timestamptz(),
    changed_at: column.timestamptz(),
    voided_at: column.timestamptzOrNull(),
    version: column.integer(),
    children: column.smallint(),
    fetal_deaths: column.smallint(),
    /** True if the first version was pre-filled from an EHR. The births log omits such births. */
    is_prefilled: column.boolean(),
    /** True if the record was ever flagged or reviewed as a duplicate of another one. */
    was_flagged: column.boolean(),
    submission_uuid: column.uuid(),
    duplicate_of: column.uuidOrNull(),
    practice_id: column.text(),
    status: column.text<'live' | 'voided'>(),
    source: column.text<SubmissionSource>(),
    /** Kind of the key that sent the current version; null if a person entered it. */
    key_kind: column.textOrNull<'native' | 'partner'>(),
    chart_number: column.textOrNull(),
    /** Chart number without case and accents. */
    chart_folded: column.plainTextOrNull(),
    mother_name: column.textOrNull(),
    child_names: column.textOrNull(),
    /** Date of the first dated birth: `YYYY-MM-DD`, or `YYYY` if only the year is stored. */
    born: column.textOrNull(),
    place: column.textOrNull(),
    words: column.tsvector(),
    stream: column.text(),
    stamp: column.textOrNull(),
    actor_kind: column.text(),
    actor_id: column.text(),
    /** Keys of the duplicate check while the record is live. */
    fingerprints: column.textArray(),
    /** Decode with `decodeCourse`. Not jsonb, whose parsing dominated the cost of a write. */
    course: column.json<StoredCourse>(),
    providers: column.json<readonly NamedProvider[]>(),
    /** Provider that the record is currently attributed to; `course` contains the one submitted. */
    attendant: column.textOrNull(),
    certifier: column.textOrNull(),
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
});

/** Live and voided records, for decisions and for lists. @see spec "Record lifecycle" */
export const birthRecords = {
  name: 'birth_records',
  version: 11,
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
    QuestionsUnverified: (data, stored) => [
      update('birth_record', buildKey(data), buildChange(stored)),
    ],
    ItemUnobtainable: (data, stored) => [
      update('birth_record', buildKey(data), buildChange(stored)),
    ],
    ItemAwaited: (data, stored) => [update('birth_record', buildKey(data), buildChange(stored))],
    ItemReasonTakenBack: (data, stored) => [
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

export type RecordListingRow = Pick<
  RowOf<typeof birthRecord>,
  | 'submission_uuid'
  | 'practice_id'
  | 'chart_number'
  | 'chart_folded'
  | 'mother_name'
  | 'child_names'
  | 'born'
  | 'children'
  | 'fetal_deaths'
  | 'place'
  | 'status'
  | 'version'
  | 'source'
  | 'key_kind'
  | 'is_prefilled'
  | 'words'
  | 'changed_at'
> & {
  /** Folded chart number, reversed: staff search by the last digits. */
  readonly chart_backwards: string | null;
};

export const RECORD_LISTING = {
  name: 'record_listing',
  version: 6,
  query: (schema) => `
    select submission_uuid, practice_id, chart_number, chart_folded,
      reverse(chart_folded) as chart_backwards, mother_name, child_names, born, children,
      fetal_deaths, place, status, version, source, key_kind, is_prefilled, words, changed_at
    from "${schema}".birth_record`,
} as const satisfies ReadView;
