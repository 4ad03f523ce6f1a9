import {
  type DateAndTime,
  dateOfDay,
  dayNumber,
  parseDateAndTime,
  toUtcSecond,
} from '../../fhir/dates.ts';
import type { OffsetAt } from './typed-dates.ts';

const DATE_LENGTH = 'YYYY-MM-DD'.length;
const OFFSET = /(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * A date and time on the same clock so many days later. An offset that was the practice's own is
 * asked for again, for summer time may have begun or ended; one of another zone stays.
 * @returns null outside the years 0001 to 9999, or for a text that is no date and time
 */
export const movedByDays = (time: string, days: number, offsetAt: OffsetAt): string | null => {
  const parts = parseDateAndTime(time);
  if (parts === null) return null;
  const [offset = ''] = OFFSET.exec(time) ?? [];
  const clock = time.slice(DATE_LENGTH).replace(OFFSET, '');
  const local = `${dateOfDay(dayNumber(parts.date) + days)}${clock}`;
  const moved = parseDateAndTime(local);
  if (moved === null) return null;
  const own = isOwnOffset(parts, offsetAt) ? offsetAt(onClock(moved)) : null;
  return `${local}${own ?? offset}`;
};

/** `YYYY-MM-DDTHH:MM:SS` as the clock shows it, or so many minutes later. */
const onClock = (time: DateAndTime, minutesLater = 0): string =>
  toUtcSecond({ ...time, offsetMinutes: -minutesLater }) ?? '';

const minutesAt = (local: string, offsetAt: OffsetAt): number | null => {
  const offset = offsetAt(local);
  return offset === null ? null : (parseDateAndTime(`${local}${offset}`)?.offsetMinutes ?? null);
};

/** Whether an offset is the practice's own at its time, be it the second one of an hour shown twice. */
const isOwnOffset = (time: DateAndTime, offsetAt: OffsetAt): boolean => {
  const stated = time.offsetMinutes;
  const first = minutesAt(onClock(time), offsetAt);
  if (stated === null || first === null || stated > first) return false;
  // Where the clock goes back, `offsetAt` tells the first one until the hour is over.
  return stated === first || minutesAt(onClock(time, first - stated), offsetAt) === stated;
};
