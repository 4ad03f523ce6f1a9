import { createHash } from 'node:crypto';
import type { BirthRecordEvent } from '../../domain/course-of-care/events.ts';
import { type SparseCourse, wholeCourse } from '../../domain/course-of-care/sparse-course.ts';

/** What is kept of a record while the whole log is read: hashes instead of courses of care. */
export interface RecordDigest {
  readonly status: 'live' | 'voided';
  readonly version: number;
  readonly stamp: string | null;
  readonly duplicateOf: string | null;
  readonly toldApartFrom: readonly string[];
  /** Providers that it is attributed to now. */
  readonly attendant: string | null;
  readonly certifier: string | null;
  /** Hash of the course of care and who sent it. */
  readonly course: string;
  /** Hash of the fingerprints. */
  readonly fingerprints: string;
}

/** What a hash is made of; a row of the tables has the same. */
export interface HashedContent {
  readonly submissionUuid: string;
  readonly practiceId: string;
  readonly source: string;
  readonly keyKind: string | null;
  readonly course: unknown;
  readonly providers: unknown;
}

/** The digest after one more event. */
export const evolveDigest = (
  held: RecordDigest | null,
  event: BirthRecordEvent,
): RecordDigest | null => {
  switch (event.type) {
    case 'BirthRecorded':
    case 'BirthAmended': {
      const { version, stamp, fingerprints, course } = event.data;
      return {
        status: 'live',
        version,
        stamp,
        duplicateOf: held?.duplicateOf ?? null,
        toldApartFrom: held?.toldApartFrom ?? [],
        attendant: course.attendant,
        certifier: course.certifier,
        course: courseHash(event.data),
        fingerprints: fingerprintsHash(fingerprints),
      };
    }
    case 'BirthRetracted':
      return held && { ...held, status: 'voided', version: event.data.version };
    case 'DuplicateFlagged':
      return held && { ...held, duplicateOf: event.data.duplicateOf };
    case 'DuplicateDismissed':
      return (
        held && {
          ...held,
          duplicateOf: event.data.standingFlag ?? null,
          toldApartFrom: [...without(held, event.data), event.data.duplicateOf],
        }
      );
    case 'DuplicateFlagRestored':
      return (
        held && {
          ...held,
          duplicateOf: event.data.standingFlag ?? event.data.duplicateOf,
          toldApartFrom: without(held, event.data),
        }
      );
    case 'RevivalKept':
      return held;
    case 'AttributionRepointed':
      return held && { ...held, [event.data.part]: event.data.to };
  }
};

const without = (
  { toldApartFrom }: RecordDigest,
  { duplicateOf }: { readonly duplicateOf: string },
): readonly string[] => toldApartFrom.filter((one) => one !== duplicateOf);

/** Hash of a course of care and who sent it, whatever the order of the fields. */
export const courseHash = (content: HashedContent): string => {
  const { submissionUuid, practiceId, source, keyKind, course, providers } = content;
  // The log holds it whole, the read tables without what is not known.
  const whole = wholeCourse(course as SparseCourse);
  return hashOf([submissionUuid, practiceId, source, keyKind, whole, providers]);
};

/** Hash of a set of fingerprints. */
export const fingerprintsHash = (fingerprints: unknown): string =>
  hashOf(Array.isArray(fingerprints) ? [...new Set(fingerprints.map(String))].sort() : null);

const hashOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(inOrder(value)))
    .digest('base64url');

/** The same value with the fields of every object in one order. */
const inOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, one]) => [name, inOrder(one)]);
};
