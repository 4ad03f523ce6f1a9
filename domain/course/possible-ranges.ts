import type { Range } from '../fhir/quantities.ts';
import { DAYS_PER_WEEK } from './gestational-age.ts';
import { MAX_CHILDREN } from './limits.ts';

/** Birth weights, grams. Outside it a value is left out. */
export const BIRTH_WEIGHT_GRAMS: Range = { from: 100, to: 9000 };

/** Gestational ages, weeks. */
export const GESTATION_WEEKS: Range = { from: 12, to: 46 };

/** The same in days. */
export const GESTATION_DAYS: Range = {
  from: GESTATION_WEEKS.from * DAYS_PER_WEEK,
  to: GESTATION_WEEKS.to * DAYS_PER_WEEK,
};

/** Days of a gestational age beyond its whole weeks. */
export const DAYS_BEYOND_WEEKS: Range = { from: 0, to: DAYS_PER_WEEK - 1 };

/** Heights of the mother, centimeters. Our choice: wide enough for every adult. */
export const HEIGHT_CM: Range = { from: 50, to: 250 };

/** Weights of the mother, kilograms. Our choice: wide enough for every adult. */
export const WEIGHT_KG: Range = { from: 20, to: 400 };

/** Visits and earlier births. */
export const COUNTED: Range = { from: 0, to: 99 };

/**
 * Said for a count that is not known: visits, earlier births, other outcomes, cesareans, cigarettes.
 * @see NCHS, US Standard Certificate of Live Birth, file layout
 */
export const UNKNOWN_COUNT = 99;

/** Children of one delivery, and their places in the order of birth. */
export const CHILDREN_AT_ONCE: Range = { from: 1, to: MAX_CHILDREN };

/** Cigarettes a day. */
export const CIGARETTES: Range = { from: 0, to: 999 };

/** Apgar scores. */
export const APGAR: Range = { from: 0, to: 10 };
