import {
  buildFingerprintTexts,
  isIdentified,
} from '../../../domain/birth-record/duplicates/fingerprint.ts';
import type { CourseOfCare } from '../../../domain/course/course.ts';
import { findDifferences } from '../../../domain/course/course-paths.ts';
import { maskForPartner } from '../../../domain/course/mask.ts';
import {
  buildDocumentBundle,
  type ExportedRecord,
} from '../../../domain/export/bfdr/document-bundle.ts';
import { mapCourse } from '../../../domain/intake/bfdr/course-mapper.ts';

/** Rules to rehearse on stored records. */
export interface Rules {
  /** Maps a Bundle to a course of care. */
  readonly mapCourse: typeof mapCourse;
  readonly fingerprintTexts: typeof buildFingerprintTexts;
}

export const RULES: Rules = { mapCourse, fingerprintTexts: buildFingerprintTexts };

/** Result of mapping a record again. */
export type ReadAgain =
  /** Paths of the values that would change, as in `differences`. Empty if none would. */
  | { readonly kind: 'read'; readonly paths: readonly string[] }
  /** Rejection codes: the record would be refused. */
  | { readonly kind: 'refused'; readonly codes: readonly string[] };

// Provider names become ids by another route, and custom fields are not in a Bundle.
const isOutside = (path: string): boolean =>
  path === 'attendant' || path === 'certifier' || path.startsWith('custom.');

/**
 * Maps a record again, from its exported Bundle. Under the rules that mapped it, that changes
 * nothing. Other content of the submitted Bundle is not stored, so it is not checked.
 */
export const readAgain = (record: ExportedRecord, rules: Rules): ReadAgain => {
  const { keyKind, course } = record;
  // The partner lane is the one that accepts records without a place of birth, regardless of the
  // sender.
  const lane = keyKind === 'partner' || course.place_of_birth === null ? 'partner' : 'native';
  const bundle = buildDocumentBundle({ ...record, status: 'live' });
  const mapped = rules.mapCourse({ position: 0, bundle, retractedByEntry: false }, lane, []);
  if (mapped.kind === 'rejected')
    return { kind: 'refused', codes: mapped.rejections.map(({ code }) => code) };
  if (mapped.kind === 'retraction') return { kind: 'refused', codes: ['retraction'] };
  const asKept = (one: CourseOfCare) => (keyKind === 'partner' ? maskForPartner(one) : one);
  const changed = findDifferences(asKept(course), asKept(mapped.course));
  return {
    kind: 'read',
    paths: changed.map(({ path }) => path).filter((path) => !isOutside(path)),
  };
};

/** True if a record can be compared with others again. De-identified records cannot. */
export const isComparable = ({
  keyKind,
  course,
}: Pick<ExportedRecord, 'keyKind' | 'course'>): boolean =>
  keyKind !== 'partner' && isIdentified(course);
