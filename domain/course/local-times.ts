import { parseDateAndTime, toUtcSecond } from '../fhir/dates.ts';

/**
 * `null` if the zone is unknown. A repeated time has its first offset, and a skipped time the new one.
 */
export type OffsetAt = (local: string) => string | null;

export const toMinutes = (offset: string): number =>
  parseDateAndTime(`2000-01-01T00:00${offset}`)?.offsetMinutes ?? 0;

const DAY_MINUTES = 1_440;

const addMinutes = (local: string, minutes: number): string => {
  const time = parseDateAndTime(local);
  return time === null ? '' : (toUtcSecond({ ...time, offsetMinutes: -minutes }) ?? '');
};

/**
 * Returns every offset of a local date and time, earliest instant first: two for a time that repeats
 * when clocks are set back, none for a time that is skipped when they are set forward, null if the
 * zone is unknown.
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

/** `null` if the zone is unknown. @param utc `YYYY-MM-DDTHH:MM:SS` */
export const readClockAt = (utc: string, offsetAt: OffsetAt): string | null => {
  const near = offsetAt(utc);
  if (near === null) return null;
  // `near` was looked up hours away from the instant, so clocks may have changed in between.
  const around = [-DAY_MINUTES, DAY_MINUTES].map((minutes) => offsetAt(addMinutes(utc, minutes)));
  const localAt = (offset: string): string => addMinutes(utc, toMinutes(offset));
  const offset =
    [near, ...around].find(
      (one) => one !== null && isOwnTime(localAt(one), toMinutes(one), offsetAt),
    ) ?? near;
  return `${localAt(offset)}${offset}`;
};

export const isOwnTime = (local: string, offsetMinutes: number, offsetAt: OffsetAt): boolean =>
  findOffsets(local, offsetAt)?.some((offset) => toMinutes(offset) === offsetMinutes) === true;

export type WhichMoment = 'first' | 'second';

/** Returns null if the local time does not repeat, or has a different offset. */
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
