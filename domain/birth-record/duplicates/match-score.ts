import type { CourseOfCare } from '../../course/course.ts';
import { isSameValue, listStatedValues } from '../../course/course-paths.ts';

// Our choice. Fewer shared values are not enough evidence.
const MIN_COMPARED_VALUES = 5;
const MIN_SHARE = 0.25;

/** Values that matches have in common by definition, and values unique to each record. */
const NOT_COMPARED =
  /^(?:chart_number|attendant|certifier|consent\..*|mother\.(?:family_name|given_names|suffix|age_at_delivery)|children\.\d+\.(?:suffix|birth_date|birth_time))$/;

/**
 * True if two records of a candidate pair differ in nearly all values that both contain: more likely two
 * mothers with the same name who gave birth on the same day than one birth entered twice.
 */
export const isUnlikelyMatch = (one: CourseOfCare, other: CourseOfCare): boolean => {
  const values = listStatedValues(other);
  const both = [...listStatedValues(one)].filter(
    ([path]) => values.has(path) && !NOT_COMPARED.test(path),
  );
  const same = both.filter(([path, value]) => isSameValue(value, values.get(path)));
  return both.length >= MIN_COMPARED_VALUES && same.length < both.length * MIN_SHARE;
};
