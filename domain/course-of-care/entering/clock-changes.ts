import { parseDateAndTime, toUtcSecond } from '../../fhir/dates.ts';
import { type TypedValue, typed, wrong } from './typed-value.ts';

/**
 * Offset of a local date and time (`YYYY-MM-DDTHH:MM:SS`) in the practice's zone; null: unknown. Of a
 * time that the clock shows twice it is the first one, of a time that it skips the one afterwards.
 */
export type OffsetAt = (local: string) => string | null;

/** Which of the two moments at which the clock shows the same time. */
export type WhichMoment = 'first' | 'second';

/** What is typed beside a time of day: which of two moments it is, or its offset in minutes. */
export type StatedMoment = WhichMoment | number;

/**
 * The offsets that the practice's clock has at a local date and time, the earlier moment first: two
 * where the clock is set back over it, none where it is set forward past it. Null: the zone is unknown.
 */
export const offsetsAt = (local: string, offsetAt: OffsetAt): readonly string[] | null => {
  const own = offsetAt(local);
  if (own === null) return null;
  // No zone has changed its clock twice in four days since 1970.
  const before = offsetAt(laterBy(local, -DAY_MINUTES)) ?? own;
  const after = offsetAt(laterBy(local, DAY_MINUTES)) ?? own;
  const forward = minutesOf(after) - minutesOf(before);
  if (forward < 0 && own === before && offsetAt(laterBy(local, -forward)) === after)
    return [before, after];
  const isSkipped = forward > 0 && own === after && offsetAt(laterBy(local, -forward)) === before;
  return isSkipped ? [] : [own];
};

const DAY_MINUTES = 1_440;

const laterBy = (local: string, minutes: number): string => {
  const time = parseDateAndTime(local);
  return time === null ? '' : (toUtcSecond({ ...time, offsetMinutes: -minutes }) ?? '');
};

/**
 * Tells what the practice's clock shows at a time in UTC, with its offset; null where the zone is unknown.
 * @param utc `YYYY-MM-DDTHH:MM:SS`
 */
export const readClockAt = (utc: string, offsetAt: OffsetAt): string | null => {
  const near = offsetAt(utc);
  if (near === null) return null;
  // Hours from that moment, so the clocks may have changed in between.
  const offset = offsetAt(laterBy(utc, minutesOf(near))) ?? near;
  return `${laterBy(utc, minutesOf(offset))}${offset}`;
};

/** Minutes of an offset such as `-04:00`. */
const minutesOf = (offset: string): number =>
  parseDateAndTime(`2000-01-01T00:00${offset}`)?.offsetMinutes ?? 0;

/** Whether a time with an offset is one that the practice's clock shows at its moment. */
export const isOwnTime = (local: string, offsetMinutes: number, offsetAt: OffsetAt): boolean =>
  offsetsAt(local, offsetAt)?.some((offset) => minutesOf(offset) === offsetMinutes) === true;

/**
 * Which of two moments a time with an offset is; null where the practice's clock shows it once, or
 * with another offset.
 */
export const whichMoment = (
  local: string,
  offsetMinutes: number | null,
  offsetAt: OffsetAt,
): WhichMoment | null => {
  const [first, second] = offsetsAt(local, offsetAt) ?? [];
  if (first === undefined || second === undefined) return null;
  if (minutesOf(first) === offsetMinutes) return 'first';
  return minutesOf(second) === offsetMinutes ? 'second' : null;
};

/**
 * The offset of a local date and time on the practice's clock, or why it cannot be told; '' where the
 * zone is unknown.
 * @param words what the field is called in a sentence
 */
export const typedOffset = (
  local: string,
  stated: StatedMoment | null,
  words: string,
  offsetAt: OffsetAt,
): TypedValue<string> => {
  const offsets = offsetsAt(local, offsetAt);
  if (offsets === null) return typed(typeof stated === 'number' ? offsetText(stated) : '');
  const [first, second] = offsets;
  if (first === undefined)
    return wrong(
      'time-skipped',
      `The clocks were set forward past this ${words}: it does not exist on this day. Check the time and the date.`,
    );
  if (typeof stated === 'number') {
    const own = offsets.find((offset) => minutesOf(offset) === stated);
    return own === undefined
      ? wrong(
          'time-in-another-zone',
          `The ${words} names a time zone that the clocks of your practice do not show at that time. Type it as they showed it.`,
        )
      : typed(own);
  }
  if (second === undefined)
    return stated === null
      ? typed(first)
      : wrong(
          'time-once',
          `The clocks showed this ${words} once. Check the date, or leave out “first” or “second”.`,
        );
  if (stated === null)
    return wrong(
      'time-twice',
      `The clocks were set back and showed this ${words} twice. Say whether it was the first or the second, such as “1:30 am first”.`,
    );
  return typed(stated === 'first' ? first : second);
};

const offsetText = (minutes: number): string => {
  const size = Math.abs(minutes);
  const [hour, minute] = [Math.floor(size / HOUR_MINUTES), size % HOUR_MINUTES];
  return `${minutes < 0 ? '-' : '+'}${padded(hour)}:${padded(minute)}`;
};

const padded = (value: number): string => String(value).padStart(2, '0');

const HOUR_MINUTES = 60;

const WHICH: ReadonlyMap<string, WhichMoment> = new Map([
  ['first', 'first'],
  ['1st', 'first'],
  ['second', 'second'],
  ['2nd', 'second'],
]);

/** Hours of the zones of the United States, as people abbreviate them. */
const ZONE_HOURS: ReadonlyMap<string, number> = new Map([
  ['adt', -3],
  ['ast', -4],
  ['edt', -4],
  ['est', -5],
  ['cdt', -5],
  ['cst', -6],
  ['mdt', -6],
  ['mst', -7],
  ['pdt', -7],
  ['pst', -8],
  ['akdt', -8],
  ['akst', -9],
  ['hdt', -9],
  ['hadt', -9],
  ['hst', -10],
  ['hast', -10],
  ['sst', -11],
  ['chst', 10],
  ['gmt', 0],
  ['utc', 0],
]);

const OFFSET = /^(?:gmt|utc)?([+-])(\d{1,2})(?::?(\d{2}))?$/;
const MAX_OFFSET_MINUTES = 14 * HOUR_MINUTES;

/**
 * Takes what states the moment from a typed time: `1:30 am second`, `2nd 1:30 am`, `1:30 am (EST)`,
 * `1:30 am -05:00`.
 * @param text without runs of white space
 */
export const splitStated = (
  text: string,
): { readonly text: string; readonly stated: StatedMoment | null } => {
  const first = text.indexOf(' ');
  const last = text.lastIndexOf(' ');
  if (first < 0) return { text, stated: null };
  const atEnd = statedIn(text.slice(last + 1));
  if (atEnd !== null) return { text: text.slice(0, last), stated: atEnd };
  const atStart = WHICH.get(text.slice(0, first).toLowerCase());
  return atStart === undefined
    ? { text, stated: null }
    : { text: text.slice(first + 1), stated: atStart };
};

const statedIn = (word: string): StatedMoment | null => {
  const plain = word.replace(/[().]/g, '').toLowerCase();
  const which = WHICH.get(plain);
  if (which !== undefined) return which;
  const hours = ZONE_HOURS.get(plain);
  if (hours !== undefined) return hours * HOUR_MINUTES;
  const [, sign, hour, minute = '0'] = OFFSET.exec(plain) ?? [];
  if (sign === undefined) return null;
  const minutes = Number(hour) * HOUR_MINUTES + Number(minute);
  if (minutes > MAX_OFFSET_MINUTES) return null;
  return sign === '-' ? -minutes : minutes;
};
