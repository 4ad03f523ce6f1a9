import { dateOfDay, dayNumber, isDate } from '../fhir/dates.ts';
import type { Range } from '../fhir/quantities.ts';
import type { CourseOfCare } from './course.ts';
import { firstBirthDate } from './first-birth-date.ts';

/** Days after a birth by which a practice may want its record complete. */
export const DAYS_UNTIL_DUE: Range = { from: 1, to: 365 };

/**
 * The day by which a record has to be complete, `YYYY-MM-DD`; null where the practice set no number
 * of days, or the day of birth is not known.
 */
export const dueDate = (
  { children }: Pick<CourseOfCare, 'children'>,
  daysUntilDue: number | null,
): string | null => {
  const born = firstBirthDate(children);
  return daysUntilDue === null || born === null || !isDate(born)
    ? null
    : dateOfDay(dayNumber(born) + daysUntilDue);
};
