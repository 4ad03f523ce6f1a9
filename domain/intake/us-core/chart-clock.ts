import { type OffsetAt, readClockAt } from '../../course/practice-clock.ts';
import { parseDateAndTime, toLocalSecond } from '../../fhir/dates.ts';
import { asText } from '../../fhir/json.ts';

/** Practice clock that determines the days of a chart. */
export interface ChartClock {
  /** `YYYY-MM-DD`. */
  readonly today: string;
  /** Offsets of the practice's zone. If null, times in UTC remain unchanged. */
  readonly offsetAt: OffsetAt | null;
}

/** Day and times of a practice. */
export interface LocalTimes {
  /** `YYYY-MM-DD`. */
  readonly today: string;
  /** Converts a time in UTC that the chart contains to local time. Other text remains unchanged. */
  readonly toLocal: (text: string) => string;
}

/**
 * True for a time in UTC, except midnight, because many EHRs write dates that way. Only such times
 * depend on the practice's zone.
 */
export const isInUtc = (text: string): boolean => {
  const time = parseDateAndTime(text);
  return time?.offsetMinutes === 0 && time.hour + time.minute + time.second > 0;
};

const toLocalTime = (text: string, { offsetAt }: ChartClock): string => {
  const time = parseDateAndTime(text);
  return time === null || offsetAt === null
    ? text
    : (readClockAt(toLocalSecond(time), offsetAt) ?? text);
};

/**
 * Converts the times of a chart by a practice's clock.
 * @param inUtc all times of the chart that are in UTC
 */
export const convertTimes = (inUtc: ReadonlySet<string>, clock: ChartClock): LocalTimes => {
  const local = new Map<string, string>();
  for (const text of inUtc) local.set(text, toLocalTime(text, clock));
  return { today: clock.today, toLocal: (text) => local.get(text) ?? text };
};

// Longer than any time that can be parsed.
const MAX_TIME_LENGTH = 80;

/** Returns the texts that may be times, in the same order. */
export const pickTimes = (values: readonly unknown[]): readonly string[] =>
  values
    .map(asText)
    .filter((text) => text !== null)
    .filter((text) => text.length <= MAX_TIME_LENGTH);
