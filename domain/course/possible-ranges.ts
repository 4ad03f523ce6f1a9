import type { Range } from '../fhir/quantities.ts';
import { DAYS_PER_WEEK } from './gestational-age.ts';
import { MAX_CHILDREN } from './limits.ts';

/** Values outside this range are omitted. */
export const BIRTH_WEIGHT_GRAMS: Range = { from: 100, to: 9000 };

export const GESTATION_WEEKS: Range = { from: 12, to: 47 };

export const GESTATION_DAYS: Range = {
  from: GESTATION_WEEKS.from * DAYS_PER_WEEK,
  to: GESTATION_WEEKS.to * DAYS_PER_WEEK,
};

export const DAYS_BEYOND_WEEKS: Range = { from: 0, to: DAYS_PER_WEEK - 1 };

/** Height of the mother. Our choice: wide enough for every adult. */
export const HEIGHT_CM: Range = { from: 50, to: 250 };

export const WEIGHT_KG: Range = { from: 20, to: 400 };

/** Number of visits or earlier births, or an age. */
export const COUNTED: Range = { from: 0, to: 99 };

/** @see NCHS, US Standard Certificate of Live Birth, file layout */
export const UNKNOWN_COUNT = 99;

export const CHILDREN_AT_ONCE: Range = { from: 1, to: MAX_CHILDREN };

/** Of a transfer. Our choice: six weeks. */
export const HOURS_AFTER_BIRTH: Range = { from: 0, to: 1_008 };

/** Per day. */
export const CIGARETTES: Range = { from: 0, to: 999 };

export const CIGARETTES_IN_PACK = 20;

export const APGAR: Range = { from: 0, to: 10 };
