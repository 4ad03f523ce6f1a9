import { findOffsets, isOwnTime } from '../../../domain/course/practice-clock.ts';
import {
  isDate,
  parseDateAndTime,
  toLocalSecond,
  toUtcSecond,
} from '../../../domain/fhir/dates.ts';
import { createOffsetAt, zoneNameAtNight } from '../../practice-time/practice-clock.ts';
import { momentText } from '../frame/time.tsx';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const MONTHS_IN_FULL = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const YEAR_AND_MONTH = /^(\d{4})-(\d{2})$/;

/** A date as people write it, "May 12, 2026"; a month or year alone too; any other text as it is. */
export const dateInWords = (date: string): string => {
  if (isDate(date)) {
    const [year, month, day] = date.split('-');
    return `${MONTHS[Number(month) - 1]} ${Number(day)}, ${year}`;
  }
  const [, year, month] = YEAR_AND_MONTH.exec(date) ?? [];
  const name = MONTHS[Number(month) - 1];
  return name === undefined ? date : `${name} ${year}`;
};

/** A month as a heading: "May 2026" for `2026-05`; any other text as it is. */
export const monthInWords = (month: string): string => {
  const [, year, number] = YEAR_AND_MONTH.exec(month) ?? [];
  const name = MONTHS_IN_FULL[Number(number) - 1];
  return name === undefined ? month : `${name} ${year}`;
};

/**
 * A date and time as people write it: "May 12, 2026, 14:03". As the clock on the wall showed it: with
 * an offset of its own, or local; one in UTC is of no wall, and told in the practice's zone. In a night in
 * which the practice's clocks change the name of the hour stands behind it: "01:30 EST".
 * @param timeZone IANA name
 */
export const dateAndTimeInWords = (text: string, timeZone: string): string => {
  const time = parseDateAndTime(text);
  if (time === null) return dateInWords(text);
  if (time.offsetMinutes === 0) return momentText(new Date(`${toUtcSecond(time)}Z`), timeZone);
  const clock = `${two(time.hour)}:${two(time.minute)}${hourName(text, timeZone)}`;
  return `${dateInWords(time.date)}, ${clock}`;
};

/** Said of a local time that the clocks of the practice skipped. */
const SKIPPED = ' (skipped by the clocks)';

/**
 * What stands behind a time in a night in which the practice's clocks change: " EST", or
 * " EDT or EST" where it states no offset and came twice. Empty in any other.
 * @param text date and time with an offset, or local
 * @param timeZone IANA name
 */
export const hourName = (text: string, timeZone: string): string => {
  const time = parseDateAndTime(text);
  if (time === null) return '';
  const local = toLocalSecond(time);
  const offsetAt = createOffsetAt(timeZone);
  const own = findOffsets(local, offsetAt) ?? [];
  if (time.offsetMinutes === null)
    return own.length === 0
      ? SKIPPED
      : namesOf(
          own.map((offset) => `${local}${offset}`),
          timeZone,
        );
  const at = new Date(`${toUtcSecond(time)}Z`);
  const name = zoneNameAtNight(at, timeZone);
  if (name === null) return '';
  return isOwnTime(local, time.offsetMinutes, offsetAt)
    ? ` ${name}`
    : ` ${offsetName(time.offsetMinutes)}`;
};

const namesOf = (times: readonly string[], timeZone: string): string => {
  const names = times.flatMap((time) => zoneNameAtNight(new Date(time), timeZone) ?? []);
  return names.length === 0 ? '' : ` ${names.join(' or ')}`;
};

const HOUR_MINUTES = 60;

/** "GMT-6", as zones without an abbreviation are called. */
const offsetName = (minutes: number): string => {
  const [hours, rest] = [
    Math.floor(Math.abs(minutes) / HOUR_MINUTES),
    Math.abs(minutes) % HOUR_MINUTES,
  ];
  return `GMT${minutes < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : `:${two(rest)}`}`;
};

const two = (value: number): string => String(value).padStart(2, '0');
