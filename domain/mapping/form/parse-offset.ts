import {
  findOffsets,
  type OffsetAt,
  toMinutes,
  type WhichMoment,
} from '../../course/local-times.ts';
import { invalid, ok, type Parsed } from './parsed.ts';

/** Hint next to a time of day: first or second occurrence, or the offset in minutes. */
export type StatedMoment = WhichMoment | number;

/** '' if the zone is unknown. */
export const parseOffset = (
  local: string,
  stated: StatedMoment | null,
  words: string,
  offsetAt: OffsetAt,
): Parsed<string> => {
  const offsets = findOffsets(local, offsetAt);
  if (offsets === null) return ok(typeof stated === 'number' ? formatOffset(stated) : '');
  const [first, second] = offsets;
  if (first === undefined)
    return invalid(
      'time-skipped',
      `The clocks were set forward past this ${words}: it does not exist on this day. Check the time and the date.`,
    );
  if (typeof stated === 'number') {
    const own = offsets.find((offset) => toMinutes(offset) === stated);
    return own === undefined
      ? invalid(
          'time-in-another-zone',
          `The ${words} names a time zone that the clocks of your practice do not show at that time. Type it as they showed it.`,
        )
      : ok(own);
  }
  if (second === undefined)
    return stated === null
      ? ok(first)
      : invalid(
          'time-once',
          `The clocks showed this ${words} once. Check the date, or leave out “first” or “second”.`,
        );
  if (stated === null)
    return invalid(
      'time-twice',
      `The clocks were set back and showed this ${words} twice. Say whether it was the first or the second, such as “1:30 am first”.`,
    );
  return ok(stated === 'first' ? first : second);
};

const formatOffset = (minutes: number): string => {
  const size = Math.abs(minutes);
  const [hour, minute] = [Math.floor(size / HOUR_MINUTES), size % HOUR_MINUTES];
  return `${minutes < 0 ? '-' : '+'}${padNumber(hour)}:${padNumber(minute)}`;
};

const padNumber = (value: number): string => String(value).padStart(2, '0');

const HOUR_MINUTES = 60;

const WHICH: ReadonlyMap<string, WhichMoment> = new Map([
  ['first', 'first'],
  ['1st', 'first'],
  ['second', 'second'],
  ['2nd', 'second'],
]);

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

const OFFSET = /^(?:gmt|utc)?([+-])(\d{1,2})(?::?([0-5]\d))?$/;
const MAX_OFFSET_MINUTES = 14 * HOUR_MINUTES;

/**
 * `1:30 am second`, `2nd 1:30 am`, `1:30 am (EST)`, `1:30 am -05:00`.
 * @param text without runs of white space
 */
export const splitStated = (
  text: string,
): { readonly text: string; readonly stated: StatedMoment | null } => {
  const first = text.indexOf(' ');
  const last = text.lastIndexOf(' ');
  if (first < 0) return { text, stated: null };
  const atEnd = parseStated(text.slice(last + 1));
  if (atEnd !== null) return { text: text.slice(0, last), stated: atEnd };
  const atStart = WHICH.get(text.slice(0, first).toLowerCase());
  return atStart === undefined
    ? { text, stated: null }
    : { text: text.slice(first + 1), stated: atStart };
};

const parseStated = (word: string): StatedMoment | null => {
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
