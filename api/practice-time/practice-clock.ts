import { Temporal } from 'temporal-polyfill';
import type { OffsetAt } from '../../domain/course/local-times.ts';
import { parseDateAndTime } from '../../domain/fhir/dates.ts';
import { type DateOrder, getDefaultDateOrder } from '../../domain/mapping/form/date-order.ts';

export interface PracticeClock {
  readonly today: string;
  readonly dateOrder: DateOrder;
  /** Offset such as `-04:00`; `null` if the text is not a local date and time. */
  readonly offsetAt: OffsetAt;
}

/** @param timeZone IANA name @param dateOrder by default, the usual order in the time zone */
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

/** @param timeZone IANA name */
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

/** Offsets are slow to compute, and thousands of times on one day share one. */
const steadyOffsets = new Map<string, string | null>();
const MAX_STEADY_OFFSETS = 10_000;

/** `null` unless the offset also applies the day before and after. */
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

/** A clock-change night is centered on the change. */
const HALF_NIGHT_HOURS = 6;

/**
 * `EST`, for example; `null` except in a night in which the clocks change.
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

/** `EST` or `GMT+11`, for example. @param timeZone IANA name */
export const zoneName = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';
