import { type DateAndTime, toDayNumber } from '../fhir/dates.ts';
import type { Child } from './course.ts';

/**
 * Whether a time is on a day; one in UTC, which no practice's clock shows, may be on the day before or after.
 * @param date `YYYY-MM-DD`, or the year alone of a masked record
 */
export const isOnDay = (time: DateAndTime, date: string): boolean => {
  if (date.length < time.date.length) return time.date.startsWith(date);
  const apart = Math.abs(toDayNumber(time.date) - toDayNumber(date));
  return apart <= (time.offsetMinutes === 0 ? 1 : 0);
};

const HOURS_AHEAD = 14;
const MS_PER_HOUR = 3_600_000;

/** The latest date that any clock on earth shows at a moment: a birth after it is in the future. */
export const findLatestDate = (recordedAt: string): string =>
  new Date(Date.parse(recordedAt) + HOURS_AHEAD * MS_PER_HOUR).toISOString().slice(0, 10);

/** Whether a date is after a day. A masked record has the year alone: it is after if all of the year is. */
export const isLaterDay = (date: string | null, day: string): boolean =>
  date !== null && date > day.slice(0, date.length);

/** The birth date of the first child that has one, whole or masked to its year; null if none has. */
export const findFirstBirthDate = (children: readonly Pick<Child, 'birth_date'>[]): string | null =>
  children.find(({ birth_date }) => birth_date !== null)?.birth_date ?? null;
