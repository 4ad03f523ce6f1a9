import { createHash } from 'node:crypto';
import type { BirthRecordEvent } from '../../domain/birth-record/events.ts';
import { evolve, type KnownBirthRecord, noRecord } from '../../domain/birth-record/state.ts';
import { type CompactCourse, expandCourse } from '../../domain/course/compact-course.ts';
import { emptyCourseOfCare } from '../../domain/course/course.ts';

/** Kept while the whole log is read: hashes instead of courses of care. */
export interface RecordDigest
  extends Pick<
    KnownBirthRecord,
    'status' | 'version' | 'stamp' | 'duplicateOf' | 'dismissedMatches'
  > {
  /** Reattribution changes these without a new version. */
  readonly attendant: string | null;
  readonly certifier: string | null;
  readonly course: string;
  readonly fingerprints: string;
}

/** Rows of the read tables have these fields, too. */
export interface HashedContent {
  readonly submissionUuid: string;
  readonly practiceId: string;
  readonly source: string;
  readonly keyKind: string | null;
  readonly course: unknown;
  readonly providers: unknown;
}

export const evolveDigest = (
  digest: RecordDigest | null,
  event: BirthRecordEvent,
): RecordDigest | null => {
  const state = evolve(digest === null ? noRecord : toState(digest), event);
  if (state.status === 'none') return null;
  const { status, version, stamp, duplicateOf, dismissedMatches, course } = state;
  const { attendant, certifier } = course;
  const fields = { status, version, stamp, duplicateOf, dismissedMatches, attendant, certifier };
  if (event.type === 'BirthRecorded' || event.type === 'BirthAmended')
    return {
      ...fields,
      course: hashCourse(event.data),
      fingerprints: hashFingerprints(event.data.fingerprints),
    };
  return digest && { ...digest, ...fields };
};

// The state needs no hashed content: only a new version changes it, and its event contains it.
const toState = ({ attendant, certifier, ...digest }: RecordDigest): KnownBirthRecord => ({
  ...digest,
  submissionUuid: '',
  practiceId: '',
  source: 'manual',
  keyKind: null,
  course: { ...NO_CONTENT, attendant, certifier },
  providers: [],
  fingerprints: [],
});

const NO_CONTENT = emptyCourseOfCare();

/** Independent of field order. */
export const hashCourse = (content: HashedContent): string => {
  const { submissionUuid, practiceId, source, keyKind, course, providers } = content;
  // The log stores the whole course, the read tables omit unknown values.
  const whole = expandCourse(course as CompactCourse);
  return hashValue([submissionUuid, practiceId, source, keyKind, whole, providers]);
};

/** Independent of order. */
export const hashFingerprints = (fingerprints: unknown): string =>
  hashValue(Array.isArray(fingerprints) ? [...new Set(fingerprints.map(String))].sort() : null);

const hashValue = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(sortMembers(value)))
    .digest('base64url');

/** Equal values must have equal hashes. */
const sortMembers = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, one]) => [name, sortMembers(one)]);
};
