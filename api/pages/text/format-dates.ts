import { findOffsets, isOwnTime } from '../../../domain/course/local-times.ts';
import {
  isDate,
  parseDateAndTime,
  toLocalSecond,
  toUtcSecond,
} from '../../../domain/fhir/dates.ts';
import { createOffsetAt, zoneNameAtNight } from '../../practice-time/practice-clock.ts';
import { formatTime, formatTimeOfDay, type TimeFormat } from './format-times.ts';

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

/** Date in words, "May 12, 2026", or a month or year alone; returns other text unchanged. */
export const formatDate = (date: string): string => {
  if (isDate(date)) {
    const [year, month, day] = date.split('-');
    return `${MONTHS[Number(month) - 1]} ${Number(day)}, ${year}`;
  }
  const [, year, month] = YEAR_AND_MONTH.exec(date) ?? [];
  const name = MONTHS[Number(month) - 1];
  return name === undefined ? date : `${name} ${year}`;
};

/** Month in words: "May 2026" for `2026-05`; returns other text unchanged. */
export const formatMonth = (month: string): string => {
  const [, year, number] = YEAR_AND_MONTH.exec(month) ?? [];
  const name = MONTHS_IN_FULL[Number(number) - 1];
  return name === undefined ? month : `${name} ${year}`;
};

/**
 * Keeps local times and those with an offset as written, and converts UTC to the practice's time
 * zone. On the night of a clock change, appends the zone: "1:30 AM EST".
 */
export const formatDateAndTime = (text: string, times: TimeFormat): string => {
  const time = parseDateAndTime(text);
  if (time === null) return formatDate(text);
  if (time.offsetMinutes === 0) return formatTime(new Date(`${toUtcSecond(time)}Z`), times);
  const timeOfDay = formatTimeOfDay(time.hour, time.minute, times.clock);
  return `${formatDate(time.date)}, ${timeOfDay}${formatHour(text, times.timeZone)}`;
};

/** Marks a local time that a clock change skipped. */
const SKIPPED = ' (skipped by the clocks)';

/**
 * " EST", or " EDT or EST" for a repeated time without offset; empty if the clocks do not change
 * that night.
 * @param timeZone IANA name
 */
export const formatHour = (text: string, timeZone: string): string => {
  const time = parseDateAndTime(text);
  if (time === null) return '';
  const local = toLocalSecond(time);
  const offsetAt = createOffsetAt(timeZone);
  const own = findOffsets(local, offsetAt) ?? [];
  if (time.offsetMinutes === null)
    return own.length === 0
      ? SKIPPED
      : listNames(
          own.map((offset) => `${local}${offset}`),
          timeZone,
        );
  const at = new Date(`${toUtcSecond(time)}Z`);
  const name = zoneNameAtNight(at, timeZone);
  if (name === null) return '';
  return isOwnTime(local, time.offsetMinutes, offsetAt)
    ? ` ${name}`
    : ` ${formatOffset(time.offsetMinutes)}`;
};

const listNames = (times: readonly string[], timeZone: string): string => {
  const names = times.flatMap((time) => zoneNameAtNight(new Date(time), timeZone) ?? []);
  return names.length === 0 ? '' : ` ${names.join(' or ')}`;
};

const HOUR_MINUTES = 60;

/** "GMT-6", for an offset other than the practice's. */
const formatOffset = (minutes: number): string => {
  const [hours, rest] = [
    Math.floor(Math.abs(minutes) / HOUR_MINUTES),
    Math.abs(minutes) % HOUR_MINUTES,
  ];
  return `GMT${minutes < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : `:${padTwo(rest)}`}`;
};

const padTwo = (value: number): string => String(value).padStart(2, '0');
