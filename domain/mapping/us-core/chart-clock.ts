import { type OffsetAt, readClockAt } from '../../course/local-times.ts';
import { parseDateAndTime, toLocalSecond } from '../../fhir/dates.ts';
import { asText } from '../../fhir/json.ts';

export interface ChartClock {
  /** `YYYY-MM-DD`. */
  readonly today: string;
  /** If null, times in UTC remain unchanged. */
  readonly offsetAt: OffsetAt | null;
}

export interface LocalTimes {
  /** `YYYY-MM-DD`. */
  readonly today: string;
  readonly toLocal: (text: string) => string;
}

/** Except midnight, because many EHRs write dates that way. */
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

export const convertTimes = (inUtc: ReadonlySet<string>, clock: ChartClock): LocalTimes => {
  const local = new Map<string, string>();
  for (const text of inUtc) local.set(text, toLocalTime(text, clock));
  return { today: clock.today, toLocal: (text) => local.get(text) ?? text };
};

// Longer than any time that can be parsed.
const MAX_TIME_LENGTH = 80;

export const pickTimes = (values: readonly unknown[]): readonly string[] =>
  values
    .map(asText)
    .filter((text) => text !== null)
    .filter((text) => text.length <= MAX_TIME_LENGTH);
