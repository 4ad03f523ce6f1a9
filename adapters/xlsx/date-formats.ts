import type { FormatToken } from './format-tokens.ts';

export interface DateParts {
  readonly date: 'day' | 'month' | 'year' | null;
  /** Smallest part of the time of day. */
  readonly time: 'hour' | 'minute' | 'second' | null;
  /** True if hours are counted beyond 24. */
  readonly isElapsed: boolean;
}

/** `null` if date or time is unclear: a day without its year, minutes without their hour. */
export const findDateParts = (tokens: readonly FormatToken[]): DateParts | null => {
  const units = new Set<string>();
  const parts = tokens.filter(({ kind }) => kind === 'letters' || kind === 'elapsed');
  for (const [index, { kind, text }] of parts.entries()) {
    const letter = text.slice(0, 1).toLowerCase();
    // One or two letters m are minutes after hours and before seconds.
    const isMinute =
      text.length <= 2 &&
      (/^h/i.test(parts[index - 1]?.text ?? '') || /^s/i.test(parts[index + 1]?.text ?? ''));
    if (kind === 'elapsed') units.add(`[${letter}]`);
    else if (letter === 'm') units.add(isMinute ? 'minute' : 'month');
    else if (letter === 'd') units.add(text.length <= 2 ? 'day' : 'weekday');
    else units.add({ b: 'year', e: 'year', y: 'year', h: 'hour', s: 'second' }[letter] ?? 'era');
  }
  const isElapsed = units.has('[h]');
  const hasDate = ['day', 'weekday', 'month', 'year'].some((part) => units.has(part));
  const date = findSmallest(units, ['year', 'month', 'day']);
  const time = findSmallest(isElapsed ? units.add('hour') : units, ['hour', 'minute', 'second']);
  const isClear =
    date !== undefined &&
    time !== undefined &&
    (hasDate ? date !== null && !isElapsed : time !== null) &&
    !(isElapsed && time === 'hour') &&
    !units.has('[m]') &&
    !units.has('[s]');
  return isClear ? { date, time, isElapsed } : null;
};

/** The last of the parts that are shown, `null` for none, or `undefined` if one is missing before it. */
const findSmallest = <Part extends string>(
  units: ReadonlySet<string>,
  parts: readonly Part[],
): Part | null | undefined => {
  const count = parts.filter((part) => units.has(part)).length;
  if (count === 0) return null;
  return parts.slice(0, count).every((part) => units.has(part)) ? parts[count - 1] : undefined;
};

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;
const DAY_MS = DAY_S * 1000;
const MAX_DATE_SERIAL = 2_958_466;
/** February 29, 1900, which did not exist. */
const FALSE_LEAP_DAY = 60;
const DAYS_TO_1904 = 1_462;
/** Day 0 of workbooks that count from 1900, for dates after the false leap day. */
const EPOCH = Date.UTC(1899, 11, 30);
/** Displayed by a sheet for an impossible date. */
const NO_DATE = '########';

/** `2026-05`, `14:05`, `25:30` elapsed; `null` without minutes. @param serial days since 1900 or 1904 */
export const formatDate = (
  serial: number,
  { date, time, isElapsed }: DateParts,
  countsFrom1904: boolean,
): string | null => {
  const isCounted = countsFrom1904 && date !== null;
  const whole = serial + (isCounted ? DAYS_TO_1904 : 0);
  if (serial < 0 || whole >= MAX_DATE_SERIAL) return NO_DATE;
  const seconds = time === null ? Math.floor(whole) * DAY_S : countSeconds(whole * DAY_S, time);
  const ofDay = isElapsed ? seconds : seconds % DAY_S;
  if (time === 'hour' && ofDay % HOUR_S !== 0) return null;
  const clock = [
    Math.floor(ofDay / HOUR_S),
    Math.floor((ofDay % HOUR_S) / MINUTE_S),
    ...(time === 'second' && ofDay % MINUTE_S !== 0 ? [ofDay % MINUTE_S] : []),
  ];
  const timeText = clock.map((part) => String(part).padStart(2, '0')).join(':');
  if (date === null) return timeText;
  const day = formatDay(Math.floor(seconds / DAY_S)).slice(0, LENGTHS[date]);
  return time === null ? day : `${day} ${timeText}`;
};

/** Less than any clock shows, and more than the noise of the bits. */
const NOISE_S = 0.001;

/** Sheets round the seconds that they show. They cut minutes. */
const countSeconds = (exact: number, time: NonNullable<DateParts['time']>): number =>
  time === 'second' ? Math.round(exact) : Math.floor(exact + NOISE_S);

const LENGTHS = { year: 'YYYY'.length, month: 'YYYY-MM'.length, day: 'YYYY-MM-DD'.length };

const formatDay = (day: number): string => {
  if (day === 0) return '1900-01-00';
  if (day === FALSE_LEAP_DAY) return '1900-02-29';
  return new Date(EPOCH + (day < FALSE_LEAP_DAY ? day + 1 : day) * DAY_MS).toISOString();
};
