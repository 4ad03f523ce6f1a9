import type { Range } from '../fhir/quantities.ts';

// Our choice: an age outside it is a slip in one of the two dates that it was counted from.
const POSSIBLE: Range = { from: 5, to: 80 };

/** Ages in years at which mothers give birth; others are hard to believe, though it may be so. */
export const LIKELY_AGES: Range = { from: 10, to: 60 };

/** Whether a mother may have been so many years old. */
export const isPossibleAgeAtDelivery = (years: number): boolean =>
  years >= POSSIBLE.from && years <= POSSIBLE.to;
