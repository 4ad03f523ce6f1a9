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

/** Rules by which what is kept of a record can be decided again. */
export interface Rules {
  /** Reads the course of care of a Bundle. */
  readonly mapCourse: typeof mapCourse;
  readonly fingerprintTexts: typeof buildFingerprintTexts;
}

/** Those of this build. */
export const RULES: Rules = { mapCourse, fingerprintTexts: buildFingerprintTexts };

/** What the mapper makes of a record now. */
export type ReadAgain =
  /** Paths of the values that would be others, as `differences` names them; none: it stays as it is. */
  | { readonly kind: 'read'; readonly paths: readonly string[] }
  /** Codes of the rejections: it would not be taken. */
  | { readonly kind: 'refused'; readonly codes: readonly string[] };

// Names of providers become ids on another way, and fields of a practice's own are in no Bundle.
const isOutside = (path: string): boolean =>
  path === 'attendant' || path === 'certifier' || path.startsWith('custom.');

/**
 * Reads a record again, from the Bundle that it is exported as: pushed again, that changes nothing by the rules that
 * it was read by. What the sent Bundle held besides is not kept, so it is not decided again.
 */
export const readAgain = (record: ExportedRecord, rules: Rules): ReadAgain => {
  const { keyKind, course } = record;
  // A record that may do without a place, whoever sent it, is read by the lane that does not want one.
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

/** Whether a record says enough to be compared with others again: a de-identified one does not. */
export const isComparable = ({
  keyKind,
  course,
}: Pick<ExportedRecord, 'keyKind' | 'course'>): boolean =>
  keyKind !== 'partner' && isIdentified(course);
