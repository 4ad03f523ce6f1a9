import { countWholeYears, isDate } from '../fhir/dates.ts';
import type { Range } from '../fhir/quantities.ts';
import { findFirstBirthDate } from './birth-times.ts';
import type { Child, CourseOfCare, Mother } from './course.ts';

/** Our choice: an age outside it is a slip in one of the two dates that it was counted from. */
export const AGES_AT_DELIVERY: Range = { from: 5, to: 80 };

/** Ages in years at which mothers give birth; others are hard to believe, though it may be so. */
export const LIKELY_AGES: Range = { from: 10, to: 60 };

/** Whether a mother may have been so many years old. */
export const isPossibleAgeAtDelivery = (years: number): boolean =>
  years >= AGES_AT_DELIVERY.from && years <= AGES_AT_DELIVERY.to;

/**
 * The mother's age in whole years once a person has changed a record, counted as for a Bundle. A
 * masked record has no dates to count from: it keeps the age that it has.
 */
export const recomputeAge = (
  mother: Mother,
  children: readonly Child[],
  { mother: held, children: heldChildren }: CourseOfCare,
): number | null => {
  const born = findFirstBirthDate(children);
  const isUnchanged =
    mother.birth_date === held.birth_date && born === findFirstBirthDate(heldChildren);
  // What an EHR offers has no age yet.
  if (isUnchanged && held.age_at_delivery !== null) return held.age_at_delivery;
  if (born === null) return null;
  if (mother.birth_date === null) return held.birth_date === null ? held.age_at_delivery : null;
  if (!isDate(born)) return held.age_at_delivery;
  const age = countWholeYears(mother.birth_date, born);
  return isPossibleAgeAtDelivery(age) ? age : null;
};
