import { parseDateAndTime, toUtcSecond } from '../fhir/dates.ts';

/**
 * Offset of a local date and time (`YYYY-MM-DDTHH:MM:SS`) in the practice's zone; null: unknown. Of a
 * time that the clock shows twice it is the first one, of a time that it skips the one afterwards.
 */
export type OffsetAt = (local: string) => string | null;

/** Minutes of an offset such as `-04:00`. */
export const toMinutes = (offset: string): number =>
  parseDateAndTime(`2000-01-01T00:00${offset}`)?.offsetMinutes ?? 0;

const DAY_MINUTES = 1_440;

const addMinutes = (local: string, minutes: number): string => {
  const time = parseDateAndTime(local);
  return time === null ? '' : (toUtcSecond({ ...time, offsetMinutes: -minutes }) ?? '');
};

/**
 * The offsets that the practice's clock has at a local date and time, the earlier moment first: two
 * where the clock is set back over it, none where it is set forward past it. Null: the zone is unknown.
 */
export const findOffsets = (local: string, offsetAt: OffsetAt): readonly string[] | null => {
  const own = offsetAt(local);
  if (own === null) return null;
  // No zone has changed its clock twice in four days since 1970.
  const before = offsetAt(addMinutes(local, -DAY_MINUTES)) ?? own;
  const after = offsetAt(addMinutes(local, DAY_MINUTES)) ?? own;
  const forward = toMinutes(after) - toMinutes(before);
  if (forward < 0 && own === before && offsetAt(addMinutes(local, -forward)) === after)
    return [before, after];
  const isSkipped =
    forward > 0 && own === after && offsetAt(addMinutes(local, -forward)) === before;
  return isSkipped ? [] : [own];
};

/**
 * Tells what the practice's clock shows at a time in UTC, with its offset; null where the zone is unknown.
 * @param utc `YYYY-MM-DDTHH:MM:SS`
 */
export const readClockAt = (utc: string, offsetAt: OffsetAt): string | null => {
  const near = offsetAt(utc);
  if (near === null) return null;
  // Hours from that moment, so the clocks may have changed in between.
  const offset = offsetAt(addMinutes(utc, toMinutes(near))) ?? near;
  return `${addMinutes(utc, toMinutes(offset))}${offset}`;
};

/** Whether a time with an offset is one that the practice's clock shows at its moment. */
export const isOwnTime = (local: string, offsetMinutes: number, offsetAt: OffsetAt): boolean =>
  findOffsets(local, offsetAt)?.some((offset) => toMinutes(offset) === offsetMinutes) === true;

/** Which of the two moments at which the clock shows the same time. */
export type WhichMoment = 'first' | 'second';

/**
 * Which of two moments a time with an offset is; null where the practice's clock shows it once, or
 * with another offset.
 */
export const findWhichMoment = (
  local: string,
  offsetMinutes: number | null,
  offsetAt: OffsetAt,
): WhichMoment | null => {
  const [first, second] = findOffsets(local, offsetAt) ?? [];
  if (first === undefined || second === undefined) return null;
  if (toMinutes(first) === offsetMinutes) return 'first';
  return toMinutes(second) === offsetMinutes ? 'second' : null;
};
