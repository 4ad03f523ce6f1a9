const YOUNGEST_MOTHER = 5;
const OLDEST_MOTHER = 80;

/**
 * Whether a mother may have been so many years old.
 * Our choice: an age outside 5 to 80 is a slip in one of the two dates that it was counted from.
 */
export const isPossibleAgeAtDelivery = (years: number): boolean =>
  years >= YOUNGEST_MOTHER && years <= OLDEST_MOTHER;
