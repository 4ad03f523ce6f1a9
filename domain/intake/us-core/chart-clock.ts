import { type OffsetAt, readClockAt } from '../../course/practice-clock.ts';
import { parseDateAndTime, toLocalSecond } from '../../fhir/dates.ts';
import { asText, isObject, type JsonObject } from '../../fhir/json.ts';

/** Practice clock that determines the days of a chart. */
export interface ChartClock {
  /** `YYYY-MM-DD`. */
  readonly today: string;
  /** Offsets of the practice's zone. If null, times in UTC remain unchanged. */
  readonly offsetAt: OffsetAt | null;
}

/**
 * Converts a time in UTC to the practice's local time with offset. Other text remains unchanged,
 * and so does midnight in UTC, because many EHRs write dates that way.
 */
export const convertTime = (text: string, { offsetAt }: ChartClock): string => {
  const time = parseDateAndTime(text);
  if (offsetAt === null || time?.offsetMinutes !== 0) return text;
  const isMidnight = time.hour + time.minute + time.second === 0;
  return isMidnight ? text : (readClockAt(toLocalSecond(time), offsetAt) ?? text);
};

// Elements with the time of a resource. Values that are dates need no conversion.
const TIMES: ReadonlySet<string> = new Set(
  'effectiveDateTime effectiveInstant onsetDateTime recordedDate start end'.split(' '),
);
const PERIODS: ReadonlySet<string> = new Set(['effectivePeriod', 'onsetPeriod', 'period']);

/** Converts the UTC times of a resource to the practice's local time. */
export const convertTimes = (resource: JsonObject, clock: ChartClock): JsonObject =>
  Object.fromEntries(
    Object.entries(resource).map(([name, value]) => [name, convertElement(name, value, clock)]),
  );

const convertElement = (name: string, value: unknown, clock: ChartClock): unknown => {
  if (PERIODS.has(name) && isObject(value)) return convertTimes(value, clock);
  const text = TIMES.has(name) ? asText(value) : null;
  return text === null ? value : convertTime(text, clock);
};
