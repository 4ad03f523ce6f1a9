import type { CourseOfCare } from '../course-of-care/canonical-record.ts';
import { normalisedName } from '../course-of-care/duplicates/fingerprint.ts';
import { firstBirthDate } from '../course-of-care/first-birth-date.ts';

/** What a row says of whose birth it is; null: nothing. */
export interface BirthOfRow {
  /** Folded for comparison. */
  readonly mother: string | null;
  readonly birthDate: string | null;
}

/** In what two rows of one chart number tell of two births. */
export type UnlikeIn = 'mother' | 'birthDate';

/** Whose birth a course of care is. */
export const birthOfRow = (course: CourseOfCare): BirthOfRow => ({
  mother: normalisedName(course.mother),
  birthDate: firstBirthDate(course.children),
});

/** In what two rows differ that one birth has but once; what a row leaves out differs from nothing. */
export const unlikeIn = (one: BirthOfRow, other: BirthOfRow): readonly UnlikeIn[] =>
  (['mother', 'birthDate'] as const).filter(
    (name) => one[name] !== null && other[name] !== null && one[name] !== other[name],
  );
