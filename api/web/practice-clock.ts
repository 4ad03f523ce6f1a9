import { Temporal } from 'temporal-polyfill';
import { type DateOrder, usualDateOrder } from '../../domain/practice/date-order.ts';

/** The clock on the wall of a practice. */
export interface PracticeClock {
  /** `YYYY-MM-DD`. */
  readonly today: string;
  /** Which of day and month it writes first. */
  readonly dateOrder: DateOrder;
  /** Offset of a local date and time `YYYY-MM-DDTHH:MM:SS`, such as `-04:00`; null if it is none. */
  readonly offsetAt: (local: string) => string | null;
}

/**
 * @see PracticeClock
 * @param timeZone IANA name
 * @param dateOrder as the practice has set it; absent or null: what is usual in its time zone
 */
export const practiceClock = (
  timeZone: string,
  now: Date,
  dateOrder?: DateOrder | null,
): PracticeClock => ({
  dateOrder: dateOrder ?? usualDateOrder(timeZone),
  today: Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .toString(),
  offsetAt: offsetsIn(timeZone),
});

/** Tells offsets of local times in a zone. @param timeZone IANA name */
export const offsetsIn =
  (timeZone: string): PracticeClock['offsetAt'] =>
  (local) => {
    try {
      // The hour that a clock shows twice in autumn is taken as the first of the two.
      return Temporal.PlainDateTime.from(local).toZonedDateTime(timeZone).offset;
    } catch {
      return null;
    }
  };
