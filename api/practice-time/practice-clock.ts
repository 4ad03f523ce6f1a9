import { Temporal } from 'temporal-polyfill';
import type { OffsetAt } from '../../domain/course/practice-clock.ts';
import { parseDateAndTime } from '../../domain/fhir/dates.ts';
import { type DateOrder, getDefaultDateOrder } from '../../domain/intake/form/date-order.ts';

/** The clock on the wall of a practice. */
export interface PracticeClock {
  /** `YYYY-MM-DD`. */
  readonly today: string;
  /** Which of day and month it writes first. */
  readonly dateOrder: DateOrder;
  /** Such as `-04:00`; null for what is no local date and time. */
  readonly offsetAt: OffsetAt;
}

/**
 * @see PracticeClock
 * @param timeZone IANA name
 * @param dateOrder as the practice has set it; absent or null: what is usual in its time zone
 */
export const createPracticeClock = (
  timeZone: string,
  now: Date,
  dateOrder?: DateOrder | null,
): PracticeClock => ({
  dateOrder: dateOrder ?? getDefaultDateOrder(timeZone),
  today: Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .toString(),
  offsetAt: createOffsetAt(timeZone),
});

/** Tells offsets of local times in a zone. @param timeZone IANA name */
export const createOffsetAt =
  (timeZone: string): OffsetAt =>
  (local) => {
    const date = parseDateAndTime(local)?.date;
    if (date === undefined) return null;
    return (
      steadyOffset(date, timeZone) ??
      Temporal.PlainDateTime.from(local).toZonedDateTime(timeZone).offset
    );
  };

/** Offsets are the same for thousands of times of one day, and slow to find. */
const steadyOffsets = new Map<string, string | null>();
const MAX_STEADY_OFFSETS = 10_000;

/** The offset that a zone has all day, the day before and the day after; null where it changes. */
const steadyOffset = (date: string, timeZone: string): string | null => {
  const key = `${timeZone} ${date}`;
  const known = steadyOffsets.get(key);
  if (known !== undefined) return known;
  const day = Temporal.PlainDate.from(date);
  const from = day.subtract({ days: 1 }).toZonedDateTime(timeZone).offset;
  const offset = day.add({ days: 2 }).toZonedDateTime(timeZone).offset === from ? from : null;
  if (steadyOffsets.size >= MAX_STEADY_OFFSETS) steadyOffsets.clear();
  steadyOffsets.set(key, offset);
  return offset;
};

/** From so long before the clocks change until so long afterwards it is the night of the change. */
const HALF_NIGHT_HOURS = 6;

/**
 * What the zone is called at a moment, such as `EST`, in a night in which its clocks change; null in
 * any other: there nobody asks.
 * @param timeZone IANA name
 */
export const zoneNameAtNight = (at: Date, timeZone: string): string | null => {
  const year = at.getUTCFullYear();
  const isOnCalendar = year >= 1 && year <= 9999;
  if (!isOnCalendar || steadyOffset(at.toISOString().slice(0, DATE_LENGTH), timeZone) !== null)
    return null;
  const moment = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);
  const hours = HALF_NIGHT_HOURS;
  const isAtNight = moment.subtract({ hours }).offset !== moment.add({ hours }).offset;
  return isAtNight ? zoneName(at, timeZone) : null;
};

const DATE_LENGTH = 'YYYY-MM-DD'.length;

/** What the zone is called at a moment, such as `EST` or `GMT+11`. @param timeZone IANA name */
export const zoneName = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';
