import { Temporal } from 'temporal-polyfill';

export type AsOfDate =
  | { readonly kind: 'moment'; readonly at: Date }
  | { readonly kind: 'none' }
  /** `at` is set for a time in the future, otherwise `null`. */
  | {
      readonly kind: 'wrong';
      readonly id: 'no-moment' | 'moment-to-come';
      readonly message: string;
      readonly at: Date | null;
    };

const WALL_CLOCK = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{1,2}:\d{2}(?::\d{2})?)?$/;
const LAST_OF_MINUTE_MS = 59_999;
const DATE_LENGTH = 10;

/**
 * A minute counts to its end, as does a date (today until now); an instant is exact.
 * @param timeZone IANA name
 */
export const parseAsOfDate = (text: string, timeZone: string, now: Date): AsOfDate => {
  const trimmed = text.trim();
  if (trimmed === '') return { kind: 'none' };
  if (trimmed === toWallClock(now, timeZone).slice(0, DATE_LENGTH))
    return { kind: 'moment', at: now };
  const at = WALL_CLOCK.test(trimmed) ? endOfMinute(trimmed, timeZone, now) : toInstant(trimmed);
  if (at === null)
    return {
      kind: 'wrong',
      at,
      id: 'no-moment',
      message: 'Enter a valid date and time, such as 2026-05-12 14:03.',
    };
  if (at.getTime() - LAST_OF_MINUTE_MS > now.getTime())
    return {
      kind: 'wrong',
      at,
      id: 'moment-to-come',
      message: 'This time is in the future. Choose one in the past.',
    };
  return { kind: 'moment', at };
};

const endOfMinute = (text: string, timeZone: string, now: Date): Date | null => {
  const [date = '', time = '23:59'] = text.split(/[T ]/);
  const [hour = '', minute = ''] = time.split(':');
  const wall = `${date}T${hour.padStart(2, '0')}:${minute}`;
  try {
    const local = Temporal.PlainDateTime.from(wall, { overflow: 'reject' });
    // Second occurrence of a repeated hour once it has passed, so that nothing is left out.
    const last = local.toZonedDateTime(timeZone, { disambiguation: 'later' }).epochMilliseconds;
    const { epochMilliseconds: first } = local.toZonedDateTime(timeZone);
    return new Date((last > now.getTime() ? first : last) + LAST_OF_MINUTE_MS);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
};

const toInstant = (text: string): Date | null => {
  try {
    return new Date(Temporal.Instant.from(text).epochMilliseconds);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
};

/** Formats a time for the browser's input, `2026-05-12T14:03`. */
export const toWallClock = (at: Date, timeZone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' });
