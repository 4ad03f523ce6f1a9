import type {
  FingerprintMatch,
  RecordCourse,
  RetractBirth,
} from '../../domain/birth-record/decide.ts';
import type { BirthRecordEvent, RecordVersion } from '../../domain/birth-record/events.ts';
import { type CourseOfCare, emptyChild, emptyCourseOfCare } from '../../domain/course/course.ts';
import type { CustomField } from '../../domain/custom-field/state.ts';
import type { FormValues } from '../../domain/mapping/form/form-fields.ts';
import { formatEntries } from '../../domain/mapping/form/format-course.ts';
import {
  type ParseContext,
  type ParsedCourse,
  parseCourse,
} from '../../domain/mapping/form/parse-course.ts';

/** The one birth that the domain tests tell of: Ines Amaral, 12 May, in a hospital. */
export const courseOfInes: CourseOfCare = {
  ...emptyCourseOfCare(),
  chart_number: 'C-1',
  place_of_birth: 'Hospital',
  children: [{ ...emptyChild(), birth_date: '2026-05-12', birth_weight_grams: 3_200 }],
};

/** Submission uuid of her record. */
export const INES = '00000000-0000-5000-8000-000000000001';
/** Submission uuid of another, older record of the practice. */
export const OLDER = '00000000-0000-5000-8000-000000000002';

/** A live record that looks like hers: the other one, without a flag of its own. */
export const lookAlike = (changes: Partial<FingerprintMatch> = {}): FingerprintMatch => ({
  submissionUuid: OLDER,
  duplicateOf: null,
  dismissedMatches: [],
  shared: ['ines-12-may'],
  ...changes,
});

const STAMP = '2026-05-13T09:00:00.000000000Z';
/** An hour before and after the stamp of her first version. */
export const EARLIER = '2026-05-13T08:00:00.000000000Z';
export const LATER = '2026-05-13T10:00:00.000000000Z';

/** When the registry gets what it is told of her. */
export const RECEIVED = '2026-05-13T11:00:00.000Z';

const version: RecordVersion = {
  submissionUuid: INES,
  practiceId: 'practice',
  version: 1,
  source: 'fhir_push',
  keyKind: 'native',
  course: courseOfInes,
  providers: [],
  stamp: STAMP,
  fingerprints: ['ines-12-may'],
  mark: { ingestionId: 'first', position: 0 },
};

/** Her record's first version. */
export const recorded: BirthRecordEvent = { type: 'BirthRecorded', data: version };

/** A later version of it. */
export const amended = (changes: Partial<RecordVersion>): BirthRecordEvent => ({
  type: 'BirthAmended',
  data: { ...version, version: 2, mark: null, ...changes },
});

/** The event that voids it. */
export const retracted = (version: number): BirthRecordEvent => ({
  type: 'BirthRetracted',
  data: { submissionUuid: INES, practiceId: 'practice', version, source: 'fhir_push', mark: null },
});

/** A command to record her course of care. */
export const recordInes = (changes: Partial<RecordCourse> = {}): RecordCourse => {
  const { practiceId, source, keyKind, course, providers, stamp, fingerprints, mark } = version;
  return {
    practiceId,
    source,
    keyKind,
    course,
    providers,
    stamp,
    fingerprints,
    mark,
    submissionUuid: INES,
    receivedAt: RECEIVED,
    matches: [],
    ...changes,
  };
};

/** A command to void her record. */
export const retractInes = (stamp: string | null): RetractBirth => ({
  practiceId: 'practice',
  source: 'fhir_push',
  stamp,
  mark: null,
  receivedAt: RECEIVED,
});

const field = (changes: Partial<CustomField>): CustomField => ({
  fieldId: 'tub',
  label: 'Tub',
  type: 'text',
  choices: [],
  order: 1,
  item: null,
  isRetired: false,
  ...changes,
});

/** The practice's own fields, one of each type and a retired one. */
export const CUSTOM_FIELDS = [
  field({}),
  field({ fieldId: 'degrees', label: 'Water temperature', type: 'number' }),
  field({ fieldId: 'visit', label: 'Home visit', type: 'date' }),
  field({ fieldId: 'room', label: 'Room', type: 'choice', choices: ['Blue', 'Green'] }),
  field({ fieldId: 'old', label: 'Old', isRetired: true }),
];

/** Enters a birth as people type it, in a practice four hours behind UTC. */
export const enter = (values: FormValues, changes: Partial<ParseContext> = {}): ParsedCourse =>
  parseCourse(values, {
    today: '2026-05-20',
    offsetAt: () => '-04:00',
    unitIsNamed: false,
    customFields: CUSTOM_FIELDS,
    existing: null,
    ...changes,
  });

/** The course of care that was entered. @throws if it is refused */
export const courseEntered = (
  values: FormValues,
  changes: Partial<ParseContext> = {},
): CourseOfCare => {
  const entered = enter(values, changes);
  if (entered.kind === 'refused') throw new Error(JSON.stringify(entered.errors));
  return entered.course;
};

/** What is wrong, by the path of the value; nothing if all is well. */
export const errorsOf = (values: FormValues, changes: Partial<ParseContext> = {}) => {
  const entered = enter(values, changes);
  return entered.kind === 'refused'
    ? Object.fromEntries(entered.errors.map(({ path, message }) => [path, message]))
    : {};
};

/** A birth as somebody types it. */
export const ines = {
  chart_number: 'C-1',
  place_of_birth: 'home',
  'mother.family_name': ' Amaral ',
  'mother.given_names': 'Ines',
  'mother.birth_date': '6/2/1994',
  'children.0.birth_date': '5/12/2026',
  'children.0.birth_time': '2:05 pm',
  'children.0.birth_weight_grams': '7 lb 8 oz',
  'children.0.gestational_age_weeks': '39w4d',
};

/** A course of care to correct: twins, some values of an EHR, and some that were left out. */
export const held: CourseOfCare = {
  ...courseEntered(ines),
  stamp: '2026-05-13T09:00:00.000000000Z',
  ig_version: '2.0.0',
  delivery_method: 'water cesarean',
  attendant: 'provider',
  custom: { tub: 'Large', old: 'kept', gone: 'x' },
  children: [
    {
      ...emptyChild(),
      birth_date: '2026',
      birth_weight_grams: 3333.3,
      sex: 'female',
      given_names: ['Mary Jane'],
    },
    {
      ...emptyChild(),
      birth_date: '2026-05-12',
      birth_time: '2026-05-12T14:05:30-05:00',
      gestational_age_weeks: 39,
      gestational_age_days: 4,
    },
  ],
  sources: [
    { field: 'mother.family_name', subject: 'mother', child: null, source: 'ehr_pull' },
    { field: 'children.birth_time', subject: 'child', child: 1, source: 'ehr_pull' },
    { field: 'children.sex', subject: 'child', child: 0, source: 'ehr_pull' },
  ],
  warnings: [
    {
      field: 'children.birth_time',
      child: 0,
      raw: '2026-05',
      id: 'date-time-impossible',
      reason: 'The date and time is partial or impossible',
    },
    {
      field: 'children.apgar_five_minute',
      child: 1,
      raw: 14,
      id: 'out-of-range',
      reason: 'The number is outside the possible range',
    },
  ],
};

/** Its texts as the form shows them. */
export const shown = formatEntries(held);

/** What saving them as they are leads to. */
export const unchanged: CourseOfCare = { ...held, stamp: null, ig_version: null };
