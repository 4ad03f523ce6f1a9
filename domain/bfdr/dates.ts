import { textOf } from './json.ts';
import { leftOut, NOTHING_READ, type Reading, read } from './readings.ts';

/** A date and time taken apart; `offsetMinutes` is null for a local time. `fraction` has no dot. */
export type DateAndTime = {
  readonly date: string;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly fraction: string;
  readonly offsetMinutes: number | null;
};

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_AND_TIME =
  /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,40}))?)?(Z|[+-]\d{2}:\d{2})?$/;
const PARTIAL_DATE = /^\d{4}(?:-(?:0[1-9]|1[0-2]))?$/;

const DAYS_BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365] as const;

const isLeapYear = (year: number): boolean =>
  (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

const daysInMonth = (year: number, month: number): number =>
  (DAYS_BEFORE_MONTH[month] ?? 0) -
  (DAYS_BEFORE_MONTH[month - 1] ?? 0) +
  (month === 2 && isLeapYear(year) ? 1 : 0);

/** Says whether a text is a full date, `YYYY-MM-DD`, that the calendar has. */
export const isDate = (text: string): boolean => {
  const parts = DATE.exec(text);
  if (parts === null) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
};

/** Takes a date and time apart, null if it is partial or impossible. Seconds may be absent. */
export const parseDateAndTime = (text: string): DateAndTime | null => {
  const parts = DATE_AND_TIME.exec(text);
  if (parts === null) return null;
  const [, date = '', hour = '', minute = '', second = '00', fraction = '', offset] = parts;
  const time = {
    date,
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    fraction,
  };
  const offsetMinutes = offset === undefined ? null : minutesOf(offset);
  // FHIR allows second 60.
  if (!isDate(date) || time.hour > 23 || time.minute > 59 || time.second > 60) return null;
  if (offsetMinutes !== null && Math.abs(offsetMinutes) > 14 * 60) return null;
  return { ...time, offsetMinutes };
};

const minutesOf = (offset: string): number => {
  if (offset === 'Z') return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6));
  return offset.startsWith('-') ? -minutes : minutes;
};

/** The number of days from 0001-01-01 to a full date. */
export const dayNumber = (date: string): number => {
  const [year, month, day] = [
    Number(date.slice(0, 4)),
    Number(date.slice(5, 7)),
    Number(date.slice(8, 10)),
  ];
  const inYear = (DAYS_BEFORE_MONTH[month - 1] ?? 0) + (month > 2 && isLeapYear(year) ? 1 : 0);
  return firstDayOf(year) + inYear + day - 1;
};

const firstDayOf = (year: number): number => {
  const before = year - 1;
  const leapDays = Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400);
  return before * 365 + leapDays;
};

/** The full date that is so many days after 0001-01-01; the inverse of `dayNumber`. */
export const dateOfDay = (days: number): string => {
  let year = Math.floor(days / 365.2425) + 1;
  if (firstDayOf(year) > days) year -= 1;
  else if (firstDayOf(year + 1) <= days) year += 1;
  let rest = days - firstDayOf(year);
  let month = 1;
  while (month < 12 && rest >= daysInMonth(year, month)) {
    rest -= daysInMonth(year, month);
    month += 1;
  }
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(rest + 1, 2)}`;
};

const padded = (value: number, width: number): string => String(value).padStart(width, '0');

const SECONDS_PER_DAY = 86_400;
// 9999-12-31
const LAST_DAY = 3_652_058;

/**
 * The moment as `YYYY-MM-DDTHH:MM:SS` in UTC, without fraction; a time without offset is taken as
 * it stands. Null outside the years 0001 to 9999.
 */
export const toUtcSecond = (time: DateAndTime): string | null => {
  const seconds =
    dayNumber(time.date) * SECONDS_PER_DAY +
    time.hour * 3600 +
    (time.minute - (time.offsetMinutes ?? 0)) * 60 +
    time.second;
  const day = Math.floor(seconds / SECONDS_PER_DAY);
  if (day < 0 || day > LAST_DAY) return null;
  const rest = seconds - day * SECONDS_PER_DAY;
  const clock = [Math.floor(rest / 3600), Math.floor((rest % 3600) / 60), rest % 60];
  return `${dateOfDay(day)}T${clock.map((part) => padded(part, 2)).join(':')}`;
};

/**
 * Reads a full date, or the date part of a date and time, as `YYYY-MM-DD`; a partial or impossible
 * one is left out.
 */
export const readDate = (value: unknown): Reading<string> => {
  const text = textOf(value);
  if (text === null) {
    return value === undefined || value === null || typeof value === 'string'
      ? NOTHING_READ
      : leftOut(value, 'The date is partial or impossible');
  }
  if (isDate(text)) return read(text);
  const time = parseDateAndTime(text);
  return time === null ? leftOut(text, 'The date is partial or impossible') : read(time.date);
};

/** Reads a date and time and keeps it as it was sent, local or with its offset. */
export const readTime = (value: unknown): Reading<string> => {
  const text = textOf(value);
  if (text === null) return NOTHING_READ;
  return parseDateAndTime(text) === null
    ? leftOut(text, 'The date and time is partial or impossible')
    : read(text);
};

/** Reads any FHIR dateTime, a year or a month included, and keeps it as it was sent. */
export const readDateTime = (value: unknown): Reading<string> => {
  const text = textOf(value);
  if (text === null) return NOTHING_READ;
  return isDateTime(text)
    ? read(text)
    : leftOut(text, 'The date and time is partial or impossible');
};

/** Says whether a text is a possible FHIR dateTime: a year, month, date, or date and time. */
export const isDateTime = (text: string): boolean =>
  PARTIAL_DATE.test(text) || isDate(text) || parseDateAndTime(text) !== null;

/** Whole years from one full date to another; negative if the second comes first. */
export const wholeYears = (from: string, to: string): number => {
  const years = Number(to.slice(0, 4)) - Number(from.slice(0, 4));
  return to.slice(5) < from.slice(5) ? years - 1 : years;
};
