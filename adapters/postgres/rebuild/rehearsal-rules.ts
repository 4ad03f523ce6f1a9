import {
  buildFingerprintTexts,
  hasFingerprintData,
} from '../../../domain/birth-record/duplicates/fingerprint.ts';
import type { CourseOfCare } from '../../../domain/course/course.ts';
import { findDifferences } from '../../../domain/course/course-paths.ts';
import { maskForPartner } from '../../../domain/course/mask.ts';
import {
  buildDocumentBundle,
  type ExportedRecord,
} from '../../../domain/export/bfdr/document-bundle.ts';
import { mapCourse } from '../../../domain/mapping/bfdr/course-mapper.ts';

export interface Rules {
  readonly mapCourse: typeof mapCourse;
  readonly fingerprintTexts: typeof buildFingerprintTexts;
}

export const RULES: Rules = { mapCourse, fingerprintTexts: buildFingerprintTexts };

export type ReadAgain =
  /** Paths of the values that would change, as in `differences`. Empty if none would. */
  | { readonly kind: 'read'; readonly paths: readonly string[] }
  /** Rejection codes: the record would be refused. */
  | { readonly kind: 'refused'; readonly codes: readonly string[] };

// Provider names become ids by another route, and custom fields are not in a Bundle.
const isOutside = (path: string): boolean =>
  path === 'attendant' || path === 'certifier' || path.startsWith('custom.');

/** Under the rules that mapped it, that changes nothing. Other content of the Bundle is not stored. */
export const readAgain = (record: ExportedRecord, rules: Rules): ReadAgain => {
  const { keyKind, course } = record;
  // The partner lane accepts records without a place of birth, regardless of the sender.
  const lane = keyKind === 'partner' || course.place_of_birth === null ? 'partner' : 'native';
  const bundle = buildDocumentBundle({ ...record, status: 'live' });
  const mapped = rules.mapCourse({ position: 0, bundle, retractedByEntry: false }, lane, []);
  if (mapped.kind === 'rejected')
    return { kind: 'refused', codes: mapped.rejections.map(({ code }) => code) };
  if (mapped.kind === 'retraction') return { kind: 'refused', codes: ['retraction'] };
  const maskForKey = (one: CourseOfCare) => (keyKind === 'partner' ? maskForPartner(one) : one);
  const changed = findDifferences(maskForKey(course), maskForKey(mapped.course));
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
  keyKind !== 'partner' && hasFingerprintData(course);
