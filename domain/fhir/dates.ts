import { statesUnknown } from './coded-values.ts';
import { isAbsent } from './extensions.ts';
import { asObject, asObjects, asText, type JsonObject } from './json.ts';
import { ABSENT, leaveOut, present, type Reading } from './readings.ts';
import { collectStatedValues } from './stated-values.ts';

/** Parts of a date and time. `offsetMinutes` is null for a local time; `fraction` has no dot. */
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

export const isDate = (text: string): boolean =>
  text.length === DATE_LENGTH && beginsWithDate(text);

const DATE_LENGTH = 10;
const YEAR_LENGTH = 4;

// Parses dates digit by digit: each Bundle contains several, and a regular expression with captures
// is much slower.
const beginsWithDate = (text: string): boolean => {
  if (text[4] !== '-' || text[7] !== '-') return false;
  const [year, month, day] = [digitsAt(text, 0, 4), digitsAt(text, 5, 7), digitsAt(text, 8, 10)];
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
};

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

/** `YYYY-MM-DDThh:mm`, with optional seconds, fraction, and offset; `null` if partial or impossible. */
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

/** Adds seconds to a date and time, because FHIR requires them with hours. */
export const withSeconds = (text: string): string =>
  text[MINUTE_LENGTH] === ':'
    ? text
    : `${text.slice(0, MINUTE_LENGTH)}:00${text.slice(MINUTE_LENGTH)}`;

// Our choice: no clock is more precise.
const MAX_FRACTION_DIGITS = 40;

const endOfFraction = (text: string, at: number): number => {
  if (text[at] !== '.') return at;
  let end = at + 1;
  while (isDigitAt(text, end)) end += 1;
  const digits = end - at - 1;
  return digits >= 1 && digits <= MAX_FRACTION_DIGITS ? end : at;
};

/** Parses the rest of the text as an offset; null if there is no rest, undefined if it is not an offset. */
const offsetAt = (text: string, at: number): number | null | undefined => {
  const sign = text[at];
  if (sign === undefined) return null;
  if (sign === 'Z') return text.length === at + 1 ? 0 : undefined;
  if (sign !== '+' && sign !== '-') return undefined;
  const [hours, minutes] = [digitsAt(text, at + 1, at + 3), digitsAt(text, at + 4, at + 6)];
  if (text.length !== at + 6 || text[at + 3] !== ':' || hours < 0 || minutes < 0) return undefined;
  if (minutes > 59) return undefined;
  return (hours * 60 + minutes) * (sign === '-' ? -1 : 1);
};

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

/** Number of seconds since the start of 0001-01-01 in UTC. A local time is treated as UTC. */
export const toSecondNumber = (time: DateAndTime): number =>
  toDayNumber(time.date) * SECONDS_PER_DAY +
  time.hour * 3600 +
  (time.minute - (time.offsetMinutes ?? 0)) * 60 +
  time.second;

/**
 * UTC, without a fraction; `null` outside the years 0001 to 9999. A time without an offset is treated as
 * UTC.
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

/** Returns the local date and time, `YYYY-MM-DDTHH:MM:SS`, and ignores the offset. */
export const toLocalSecond = (time: DateAndTime): string =>
  toUtcSecond({ ...time, offsetMinutes: null }) ?? '';

/** Formats an instant of the service's own clock. Our choice: `+00:00` instead of `Z`. */
export const formatInstant = (instant: Date): string =>
  instant.toISOString().replace('Z', '+00:00');

const formatClock = (hour: number, minute: number, second: number): string =>
  `${padNumber(hour, 2)}:${padNumber(minute, 2)}:${padNumber(second, 2)}`;

const FIRST_YEAR = 1900;
const LAST_YEAR = 9999;

/** Before 1900 or in 9999. @param text begins with a year */
export const isPlaceholder = (text: string): boolean => {
  const year = digitsAt(text, 0, 4);
  return year >= 0 && (year < FIRST_YEAR || year === LAST_YEAR);
};

const omitPlaceholder = (text: string): Reading<string> =>
  isPlaceholder(text) ? leaveOut(text, 'date-placeholder') : present(text);

const isStated = (value: unknown): boolean =>
  value !== undefined && value !== null && !(typeof value === 'string' && asText(value) === null);

/** Omits a partial or impossible date. */
export const readDate = (value: unknown): Reading<string> => {
  if (!isStated(value)) return ABSENT;
  const text = asText(value);
  if (text === null) return leaveOut(value, 'date-impossible');
  if (isDate(text)) return omitPlaceholder(text);
  if (statesUnknown(text)) return ABSENT;
  const time = parseDateAndTime(text);
  if (time === null) return leaveOut(text, 'date-impossible');
  const date = omitPlaceholder(time.date);
  return date.kind === 'value' ? { ...date, timeOfDay: text.slice(DATE_LENGTH + 1) } : date;
};

export const readTime = (value: unknown): Reading<string> =>
  readMoment(value, (text) => parseDateAndTime(text) !== null);

/** Reads any FHIR dateTime, including a year or month, and returns its text verbatim. */
export const readDateTime = (value: unknown): Reading<string> => readMoment(value, isDateTime);

const readMoment = (value: unknown, isPossible: (text: string) => boolean): Reading<string> => {
  if (!isStated(value)) return ABSENT;
  const text = asText(value);
  if (text !== null && isPossible(text)) return omitPlaceholder(text);
  return text !== null && statesUnknown(text) ? ABSENT : leaveOut(value, 'date-time-impossible');
};

/** True if text is a valid FHIR dateTime: a year, month, date, or date and time. */
export const isDateTime = (text: string): boolean =>
  PARTIAL_DATE.test(text) || isDate(text) || parseDateAndTime(text) !== null;

/** Whole years from one complete date to another; negative if the second is earlier. */
export const countWholeYears = (from: string, to: string): number => {
  const years = Number(to.slice(0, 4)) - Number(from.slice(0, 4));
  return to.slice(5) < from.slice(5) ? years - 1 : years;
};

/** Like {@link countWholeYears}, from a date in parts; `null` if the unknown ones matter. */
export const countCertainYears = (from: string, to: string): number | null => {
  const [year, month] = [Number(from.slice(0, YEAR_LENGTH)), Number(from.slice(5, 7))];
  const lastDay = from.length === YEAR_LENGTH ? '-12-31' : `-${daysInMonth(year, month)}`;
  const isWhole = from.length === DATE_LENGTH;
  const most = countWholeYears(isWhole ? from : `${from}-01-01`.slice(0, DATE_LENGTH), to);
  const least = isWhole ? most : countWholeYears(`${from}${lastDay}`, to);
  return most === least ? most : null;
};

// Matches the extension of the Vital Records Common Library and of the older death records guide.
const PARTIAL = /\/(?:Extension-)?partial-?date(?:-?time)?(?:-vr)?$/i;
/** Parts of a date in order, each with its number of digits. */
const PARTS = [
  { name: /(?:^|[/-])year$/i, width: 4 },
  { name: /(?:^|[/-])month$/i, width: 2 },
  { name: /(?:^|[/-])day$/i, width: 2 },
] as const;
const TIME = /(?:^|[/-])time$/i;

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

const readDigits = (part: JsonObject | undefined, width: number): string | null => {
  if (part === undefined || isAbsent(part)) return null;
  const stated = collectStatedValues(part);
  if (stated.isAbsent) return null;
  const digits = String(stated.numbers[0] ?? stated.texts[0] ?? '');
  return /^\d{1,4}$/.test(digits) ? digits.padStart(width, '0') : null;
};

/** The `_` sibling, which can state parts or "unknown", takes precedence over the value. */
export const readDateBeside = (value: unknown, element: unknown): Reading<string> => {
  const stated = readDate(value);
  if (element === undefined) return stated;
  const all = findPartialDate(element);
  const saysAbsent = isAbsent(element);
  if (all.length === 0 && !saysAbsent) return stated;
  const parts = PARTS.map(({ name, width }) => ({ part: findPart(all, name), width }));
  const isInParts = parts.some(({ part }) => part !== undefined);
  if (!isInParts && !saysAbsent) return stated;
  const known = parts.flatMap(({ part, width }) => readDigits(part, width) ?? []);
  if (isInParts && !saysAbsent && known.length === parts.length)
    return stated.kind === 'none' ? readDate(known.join('-')) : stated;
  const isUnknown = saysAbsent || known.length === 0;
  if (stated.kind !== 'none') return leaveOut(value, isUnknown ? 'said-absent' : 'date-impossible');
  return known.length === 0 ? ABSENT : leaveOut(known.join('-'), 'date-impossible');
};

/** A date, or the parts of it that are known: `YYYY`, `YYYY-MM`. */
export const readPartialDateBeside = (value: unknown, element: unknown): Reading<string> => {
  const text = asText(value);
  const isPartial = text !== null && PARTIAL_DATE.test(text);
  if (isPartial && !isAbsent(element) && findPartialDate(element).length === 0)
    return omitPlaceholder(text);
  const stated = readDateBeside(value, element);
  if (stated.kind !== 'left-out' || stated.reason !== 'date-impossible') return stated;
  const parts = findPartialDate(element);
  const known = PARTS.map(({ name, width }) => readDigits(findPart(parts, name), width));
  const firstUnknown = known.indexOf(null);
  const date = known.slice(0, firstUnknown === -1 ? known.length : firstUnknown).join('-');
  return isDateTime(date) ? omitPlaceholder(date) : stated;
};

export const readTimeParts = (element: unknown): string | null => {
  const part = findPart(findPartialDate(element), TIME);
  if (part === undefined || isAbsent(part)) return null;
  const stated = collectStatedValues(part);
  return stated.isAbsent ? null : (stated.texts[0] ?? null);
};
