import { type DateAndTime, isDate, toDayNumber } from '../fhir/dates.ts';
import type { Child } from './course.ts';

/**
 * A UTC time may be one day off, because no practice's clock shows UTC.
 * @param date `YYYY-MM-DD`, or only the year of a masked record
 */
export const isOnDay = (time: DateAndTime, date: string): boolean => {
  if (date.length < time.date.length) return time.date.startsWith(date);
  const difference = Math.abs(toDayNumber(time.date) - toDayNumber(date));
  return difference <= (time.offsetMinutes === 0 ? 1 : 0);
};

const HOURS_AHEAD = 14;
const MS_PER_HOUR = 3_600_000;

/** Returns the latest local date anywhere on earth at this instant: a birth after it is in the future. */
export const findLatestDate = (recordedAt: string): string =>
  new Date(Date.parse(recordedAt) + HOURS_AHEAD * MS_PER_HOUR).toISOString().slice(0, 10);

/** True if a date is after a day. A masked date is only a year, which is later if all of its days are. */
export const isLaterDay = (date: string | null, day: string): boolean =>
  date !== null && date > day.slice(0, date.length);

/** True if both are complete, and the first is later. */
export const isAfter = (date: string | null, other: string | null): boolean =>
  date !== null && other !== null && isDate(date) && isDate(other) && date > other;

/** Complete or masked to its year, or null. */
export const findFirstBirthDate = (children: readonly Pick<Child, 'birth_date'>[]): string | null =>
  children.find(({ birth_date }) => birth_date !== null)?.birth_date ?? null;
