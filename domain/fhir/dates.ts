import { statesUnknown } from './coded-values.ts';
import { isAbsent } from './extensions.ts';
import { asObject, asObjects, asText, type JsonObject } from './json.ts';
import { ABSENT, leaveOut, present, type Reading } from './readings.ts';
import { collectStatedValues } from './stated-values.ts';

/** A date and time taken apart; `offsetMinutes` is null for a local time. `fraction` has no dot. */
export type DateAndTime = {
  readonly date: string;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly fraction: string;
  readonly offsetMinutes: number | null;
};

const PARTIAL_DATE = /^\d{4}(?:-(?:0[1-9]|1[0-2]))?$/;

const DAYS_BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365] as const;

const isLeapYear = (year: number): boolean =>
  (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

const daysInMonth = (year: number, month: number): number =>
  (DAYS_BEFORE_MONTH[month] ?? 0) -
  (DAYS_BEFORE_MONTH[month - 1] ?? 0) +
  (month === 2 && isLeapYear(year) ? 1 : 0);

/** True if a text is a full date, `YYYY-MM-DD`, that the calendar has. */
export const isDate = (text: string): boolean =>
  text.length === DATE_LENGTH && beginsWithDate(text);

const DATE_LENGTH = 10;

// Dates are read digit by digit: each Bundle has several, and a pattern with captures is much slower.
const beginsWithDate = (text: string): boolean => {
  if (text[4] !== '-' || text[7] !== '-') return false;
  const [year, month, day] = [digitsAt(text, 0, 4), digitsAt(text, 5, 7), digitsAt(text, 8, 10)];
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
};

/** The number that all the characters from `from` to `to` write in digits, else -1. */
const digitsAt = (text: string, from: number, to: number): number => {
  let number = 0;
  for (let at = from; at < to; at += 1) {
    if (!isDigitAt(text, at)) return -1;
    number = number * 10 + text.charCodeAt(at) - ZERO;
  }
  return number;
};

const ZERO = 0x30;

const isDigitAt = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at);
  return unit >= ZERO && unit <= ZERO + 9;
};

/**
 * Takes a date and time apart, null if it is partial or impossible: `YYYY-MM-DDThh:mm`, perhaps
 * with seconds, those perhaps with a fraction, and at the end perhaps an offset.
 */
export const parseDateAndTime = (text: string): DateAndTime | null => {
  if (text[DATE_LENGTH] !== 'T' || text[13] !== ':' || !beginsWithDate(text)) return null;
  const hour = digitsAt(text, 11, 13);
  const minute = digitsAt(text, 14, 16);
  const hasSecond = text[16] === ':';
  const second = hasSecond ? digitsAt(text, 17, 19) : 0;
  const fractionEnd = hasSecond ? endOfFraction(text, 19) : 16;
  const offsetMinutes = offsetAt(text, fractionEnd);
  if (hour < 0 || minute < 0 || second < 0 || offsetMinutes === undefined) return null;
  // FHIR allows second 60.
  if (hour > 23 || minute > 59 || second > 60) return null;
  if (offsetMinutes !== null && Math.abs(offsetMinutes) > 14 * 60) return null;
  const date = text.slice(0, DATE_LENGTH);
  return { date, hour, minute, second, fraction: text.slice(20, fractionEnd), offsetMinutes };
};

const MINUTE_LENGTH = 'YYYY-MM-DDThh:mm'.length;

/** A date and time with its seconds, which FHIR requires of one that has hours. */
export const withSeconds = (text: string): string =>
  text[MINUTE_LENGTH] === ':'
    ? text
    : `${text.slice(0, MINUTE_LENGTH)}:00${text.slice(MINUTE_LENGTH)}`;

// Our choice: no clock is finer.
const MAX_FRACTION_DIGITS = 40;

/** Index after a fraction that may begin at `at`; `at` itself if there is no fraction. */
const endOfFraction = (text: string, at: number): number => {
  if (text[at] !== '.') return at;
  let end = at + 1;
  while (isDigitAt(text, end)) end += 1;
  const digits = end - at - 1;
  return digits >= 1 && digits <= MAX_FRACTION_DIGITS ? end : at;
};

/** The offset that is the rest of the text; null for no rest, undefined for any other rest. */
const offsetAt = (text: string, at: number): number | null | undefined => {
  const sign = text[at];
  if (sign === undefined) return null;
  if (sign === 'Z') return text.length === at + 1 ? 0 : undefined;
  if (sign !== '+' && sign !== '-') return undefined;
  const [hours, minutes] = [digitsAt(text, at + 1, at + 3), digitsAt(text, at + 4, at + 6)];
  if (text.length !== at + 6 || text[at + 3] !== ':' || hours < 0 || minutes < 0) return undefined;
  return (hours * 60 + minutes) * (sign === '-' ? -1 : 1);
};

/** The number of days from 0001-01-01 to a full date. */
export const toDayNumber = (date: string): number => {
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

/** Inverse of `toDayNumber`. */
export const toDate = (days: number): string => {
  let year = Math.floor(days / 365.2425) + 1;
  if (firstDayOf(year) > days) year -= 1;
  else if (firstDayOf(year + 1) <= days) year += 1;
  let rest = days - firstDayOf(year);
  let month = 1;
  while (month < 12 && rest >= daysInMonth(year, month)) {
    rest -= daysInMonth(year, month);
    month += 1;
  }
  return `${padNumber(year, 4)}-${padNumber(month, 2)}-${padNumber(rest + 1, 2)}`;
};

const padNumber = (value: number, width: number): string => String(value).padStart(width, '0');

const SECONDS_PER_DAY = 86_400;
// 9999-12-31
const LAST_DAY = 3_652_058;

/** The number of seconds from the beginning of 0001-01-01 in UTC; a local time unchanged. */
export const toSecondNumber = (time: DateAndTime): number =>
  toDayNumber(time.date) * SECONDS_PER_DAY +
  time.hour * 3600 +
  (time.minute - (time.offsetMinutes ?? 0)) * 60 +
  time.second;

/**
 * The moment as `YYYY-MM-DDTHH:MM:SS` in UTC, without fraction; a time without offset is taken as
 * it stands. Null outside the years 0001 to 9999.
 */
export const toUtcSecond = (time: DateAndTime): string | null => {
  // Most stamps are in UTC already.
  if ((time.offsetMinutes ?? 0) === 0 && time.second < 60)
    return `${time.date}T${formatClock(time.hour, time.minute, time.second)}`;
  const seconds = toSecondNumber(time);
  const day = Math.floor(seconds / SECONDS_PER_DAY);
  if (day < 0 || day > LAST_DAY) return null;
  const rest = seconds - day * SECONDS_PER_DAY;
  const clock = formatClock(Math.floor(rest / 3600), Math.floor((rest % 3600) / 60), rest % 60);
  return `${toDate(day)}T${clock}`;
};

/** The date and time that a clock shows, `YYYY-MM-DDTHH:MM:SS`, whatever its offset. */
export const toLocalSecond = (time: DateAndTime): string =>
  toUtcSecond({ ...time, offsetMinutes: null }) ?? '';

/** Formats an instant of the service's own clock, with `+00:00` instead of `Z`: our choice. */
export const formatInstant = (instant: Date): string =>
  instant.toISOString().replace('Z', '+00:00');

const formatClock = (hour: number, minute: number, second: number): string =>
  `${padNumber(hour, 2)}:${padNumber(minute, 2)}:${padNumber(second, 2)}`;

const FIRST_YEAR = 1900;
const LAST_YEAR = 9999;

/** True if a date is a placeholder for an unknown one: before 1900, or in 9999. @param text begins with its year */
export const isPlaceholder = (text: string): boolean => {
  const year = digitsAt(text, 0, 4);
  return year >= 0 && (year < FIRST_YEAR || year === LAST_YEAR);
};

/** Returns a possible date or time unchanged, unless it is a placeholder for an unknown one. */
const omitPlaceholder = (text: string): Reading<string> =>
  isPlaceholder(text) ? leaveOut(text, 'date-placeholder') : present(text);

const isStated = (value: unknown): boolean =>
  value !== undefined && value !== null && !(typeof value === 'string' && asText(value) === null);

/**
 * Reads a full date, or the date part of a date and time, as `YYYY-MM-DD`; a partial or impossible
 * one is left out.
 */
export const readDate = (value: unknown): Reading<string> => {
  if (!isStated(value)) return ABSENT;
  const text = asText(value);
  if (text === null) return leaveOut(value, 'date-impossible');
  if (isDate(text)) return omitPlaceholder(text);
  if (statesUnknown(text)) return ABSENT;
  const time = parseDateAndTime(text);
  return time === null ? leaveOut(text, 'date-impossible') : omitPlaceholder(time.date);
};

/** Reads a date and time and keeps its text verbatim, local or with its offset. */
export const readTime = (value: unknown): Reading<string> =>
  readMoment(value, (text) => parseDateAndTime(text) !== null);

/** Reads any FHIR dateTime, including a year or a month, and keeps its text verbatim. */
export const readDateTime = (value: unknown): Reading<string> => readMoment(value, isDateTime);

const readMoment = (value: unknown, isPossible: (text: string) => boolean): Reading<string> => {
  if (!isStated(value)) return ABSENT;
  const text = asText(value);
  if (text !== null && isPossible(text)) return omitPlaceholder(text);
  return text !== null && statesUnknown(text) ? ABSENT : leaveOut(value, 'date-time-impossible');
};

/** True if a text is a possible FHIR dateTime: a year, month, date, or date and time. */
export const isDateTime = (text: string): boolean =>
  PARTIAL_DATE.test(text) || isDate(text) || parseDateAndTime(text) !== null;

/** Whole years from one full date to another; negative if the second comes first. */
export const countWholeYears = (from: string, to: string): number => {
  const years = Number(to.slice(0, 4)) - Number(from.slice(0, 4));
  return to.slice(5) < from.slice(5) ? years - 1 : years;
};

// Of the common library of vital records, and of the death records' guide before it.
const PARTIAL = /\/(?:Extension-)?partial-?date(?:-?time)?(?:-vr)?$/i;
/** In the order of a date, with how many digits each has. */
const PARTS = [
  { name: /(?:^|[/-])year$/i, width: 4 },
  { name: /(?:^|[/-])month$/i, width: 2 },
  { name: /(?:^|[/-])day$/i, width: 2 },
] as const;
const TIME = /(?:^|[/-])time$/i;

/** The parts of a date that an element states one by one; empty where it does not. */
export const findPartialDate = (element: unknown): readonly JsonObject[] => {
  const { extension } = asObject(element);
  if (extension === undefined) return [];
  const partial = asObjects(extension).find(
    ({ url }) => typeof url === 'string' && PARTIAL.test(url.trim()),
  );
  return asObjects(partial?.['extension']);
};

const findPart = (parts: readonly JsonObject[], name: RegExp): JsonObject | undefined =>
  parts.find(({ url }) => name.test(asText(url) ?? ''));

/** Part of a date in digits; null if it is not stated, or stated as absent. */
const readDigits = (part: JsonObject | undefined, width: number): string | null => {
  if (part === undefined || isAbsent(part)) return null;
  const stated = collectStatedValues(part);
  if (stated.isAbsent) return null;
  const digits = String(stated.numbers[0] ?? stated.texts[0] ?? '');
  return /^\d{1,4}$/.test(digits) ? digits.padStart(width, '0') : null;
};

/**
 * Reads the date that stands under a name, with what stands under the same name with `_`: a date that is
 * stated in parts, or that it is not known. The latter counts more than a value beside it.
 */
export const readDateBeside = (value: unknown, element: unknown): Reading<string> => {
  const stated = readDate(value);
  if (element === undefined) return stated;
  const all = findPartialDate(element);
  const parts = PARTS.map(({ name, width }) => ({ part: findPart(all, name), width }));
  const isInParts = parts.some(({ part }) => part !== undefined);
  const saysAbsent = isAbsent(element);
  if (!isInParts && !saysAbsent) return stated;
  const known = parts.flatMap(({ part, width }) => readDigits(part, width) ?? []);
  if (isInParts && !saysAbsent && known.length === parts.length)
    return stated.kind === 'none' ? readDate(known.join('-')) : stated;
  if (stated.kind !== 'none') return leaveOut(value, 'said-absent');
  return known.length === 0 ? ABSENT : leaveOut(known.join('-'), 'date-impossible');
};

/** Time of day among the parts of a date; null if there is none. */
export const readTimeParts = (element: unknown): string | null => {
  const part = findPart(findPartialDate(element), TIME);
  if (part === undefined || isAbsent(part)) return null;
  const stated = collectStatedValues(part);
  return stated.isAbsent ? null : (stated.texts[0] ?? null);
};
