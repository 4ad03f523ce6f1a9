import { isOwnTime, type OffsetAt } from '../../course/practice-clock.ts';
import { dateOfDay, dayNumber, localSecond, parseDateAndTime } from '../../fhir/dates.ts';
import { typedOffset } from './parse-offset.ts';
import { mapTyped, type TypedValue, typed } from './parsed.ts';

const DATE_LENGTH = 'YYYY-MM-DD'.length;
const OFFSET = /(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * A date and time on the same clock so many days later. An offset that was the practice's own is
 * asked for again, for summer time may have begun or ended; one of another zone stays.
 * @param words what the field is called in a sentence
 * @returns null outside the years 0001 to 9999, or for a text that is no date and time
 */
export const movedByDays = (
  time: string,
  days: number,
  words: string,
  offsetAt: OffsetAt,
): TypedValue<string> | null => {
  const parts = parseDateAndTime(time);
  if (parts === null) return null;
  const [offset = ''] = OFFSET.exec(time) ?? [];
  const clock = time.slice(DATE_LENGTH).replace(OFFSET, '');
  const local = `${dateOfDay(dayNumber(parts.date) + days)}${clock}`;
  const moved = parseDateAndTime(local);
  if (moved === null) return null;
  const { offsetMinutes: stated } = parts;
  if (stated === null || !isOwnTime(localSecond(parts), stated, offsetAt))
    return typed(`${local}${offset}`);
  return mapTyped(typedOffset(localSecond(moved), null, words, offsetAt), (own) =>
    typed(`${local}${own === '' ? offset : own}`),
  );
};
