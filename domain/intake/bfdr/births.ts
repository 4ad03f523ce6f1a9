import { parseDateAndTime, toDayNumber } from '../../fhir/dates.ts';
import type { JsonObject } from '../../fhir/json.ts';
import { countSecondsBetween, type Moment, readPeriod } from '../../fhir/moments.ts';
import type { Reading } from '../../fhir/readings.ts';
import type { StatedBirth } from '../from-fhir/patient-values.ts';

/** Returns the time of birth, else the date of birth; null if neither is usable. */
export const toBirthMoment = ({ time, date }: StatedBirth): string | null =>
  findUsableValue(time) ?? findUsableValue(date);

const findUsableValue = (reading: Reading<string>): string | null =>
  reading.kind === 'value' ? reading.value : null;

const readDay = (birth: string): number => toDayNumber(birth.slice(0, 'YYYY-MM-DD'.length));

/**
 * True if the `period` of an element begins after all births.
 * @param births of the children, see `toBirthMoment`
 */
export const isAfterBirth = (element: JsonObject, births: readonly (string | null)[]): boolean => {
  if (element['period'] === undefined) return false;
  const { start } = readPeriod(element);
  if (start === null) return false;
  return births.every((birth) => birth !== null && isLater(start, birth));
};

const isLater = ({ text, day }: Moment, birth: string): boolean => {
  const seconds = countSecondsBetween(birth, text);
  if (seconds !== null) return seconds > 0;
  // In UTC, the next day may have begun.
  const isInUtc = parseDateAndTime(text)?.offsetMinutes === 0;
  return day !== null && day - readDay(birth) > (isInUtc ? 1 : 0);
};

const DAY_SECONDS = 86_400;

/** True if the moment is within 24 hours of the birth, or either is unknown. */
export const isWithinOneDay = (birth: string | null, moment: Moment | null): boolean => {
  if (birth === null || moment === null) return true;
  const seconds = countSecondsBetween(birth, moment.text);
  if (seconds !== null) return Math.abs(seconds) <= DAY_SECONDS;
  return moment.day === null || Math.abs(moment.day - readDay(birth)) <= 1;
};

// As in charts, a gestational age within a week of birth counts as the age at birth.
const WEEK_DAYS = 7;

/** True if both are known and the moment is more than a week before the birth. */
export const isWeekBefore = (birth: string | null, moment: Moment | null): boolean =>
  birth !== null && moment?.day != null && readDay(birth) - moment.day > WEEK_DAYS;
