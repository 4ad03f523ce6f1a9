import {
  type CourseOfCare,
  emptyChild,
  emptyCourseOfCare,
} from '../../domain/course-of-care/canonical-record.ts';
import type {
  FingerprintMatch,
  RecordCourse,
  RetractBirth,
} from '../../domain/course-of-care/decide.ts';
import type { BirthRecordEvent, RecordVersion } from '../../domain/course-of-care/events.ts';

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
  toldApartFrom: [],
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
