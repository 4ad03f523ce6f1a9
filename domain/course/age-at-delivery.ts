import { countCertainYears, isDate } from '../fhir/dates.ts';
import { isInRange, type Range } from '../fhir/quantities.ts';
import { findFirstBirthDate } from './birth-times.ts';
import type { Child, CourseOfCare, Mother } from './course.ts';

/** Our choice: an age outside this range means that one of the two dates is wrong. */
export const AGES_AT_DELIVERY: Range = { from: 5, to: 80 };

/** In years. In a chart, a woman of another age is not the mother. */
export const LIKELY_AGES: Range = { from: 10, to: 60 };

export const isPossibleAgeAtDelivery = (years: number): boolean =>
  isInRange(AGES_AT_DELIVERY, years);

/** A masked record has no dates to compute it from, so it keeps the stored age. */
export const recomputeAge = (
  mother: Mother,
  children: readonly Child[],
  { mother: previousMother, children: previousChildren }: CourseOfCare,
): number | null => {
  const born = findFirstBirthDate(children);
  const isUnchanged =
    mother.birth_date === previousMother.birth_date &&
    born === findFirstBirthDate(previousChildren);
  // EHR prefill data has no age yet.
  if (isUnchanged && previousMother.age_at_delivery !== null) return previousMother.age_at_delivery;
  if (born === null) return null;
  if (mother.birth_date === null)
    return previousMother.birth_date === null ? previousMother.age_at_delivery : null;
  if (!isDate(born)) return previousMother.age_at_delivery;
  const age = countCertainYears(mother.birth_date, born);
  return age !== null && isPossibleAgeAtDelivery(age) ? age : null;
};
