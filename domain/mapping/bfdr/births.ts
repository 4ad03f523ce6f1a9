import { parseDateAndTime, toDayNumber, toSecondNumber } from '../../fhir/dates.ts';
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

/** True if the `period` of an element begins after all births. */
export type IsAfterBirth = (element: JsonObject) => boolean;

/** Precision of a time: only times of the same kind are compared to the second. */
type Precision = 'instant' | 'local time' | 'day';

interface Latest {
  readonly second: number;
  readonly day: number;
}

/** Summarized once, because each stay and each participant is compared with all births. */
export const summarizeBirths = (births: readonly (string | null)[]): IsAfterBirth => {
  const latest = new Map<Precision, Latest>();
  for (const birth of births) {
    if (birth === null) return () => false;
    const { precision, second } = readPrecision(birth);
    const { second: latestSecond, day } = latest.get(precision) ?? EARLIEST;
    latest.set(precision, {
      second: Math.max(latestSecond, second),
      day: Math.max(day, readDay(birth)),
    });
  }
  return (element) => {
    if (element['period'] === undefined) return false;
    const { start } = readPeriod(element);
    return start !== null && isAfterAll(start, latest);
  };
};

const EARLIEST: Latest = { second: Number.NEGATIVE_INFINITY, day: Number.NEGATIVE_INFINITY };

interface PreciseTime {
  readonly precision: Precision;
  readonly second: number;
  readonly isInUtc: boolean;
}

const readPrecision = (text: string): PreciseTime => {
  const time = parseDateAndTime(text);
  if (time === null) return { precision: 'day', second: Number.NEGATIVE_INFINITY, isInUtc: false };
  const { offsetMinutes } = time;
  const precision = offsetMinutes === null ? 'local time' : 'instant';
  return { precision, second: toSecondNumber(time), isInUtc: offsetMinutes === 0 };
};

const isAfterAll = ({ text, day }: Moment, births: ReadonlyMap<Precision, Latest>): boolean => {
  const { precision, second, isInUtc } = readPrecision(text);
  for (const [one, birth] of births) {
    const isComparable = one === precision && one !== 'day';
    // In UTC, the next day may have begun.
    const isLater = isComparable
      ? second > birth.second
      : day !== null && day - birth.day > (isInUtc ? 1 : 0);
    if (!isLater) return false;
  }
  return true;
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

export const isWeekBefore = (birth: string | null, moment: Moment | null): boolean =>
  birth !== null && moment?.day != null && readDay(birth) - moment.day > WEEK_DAYS;
