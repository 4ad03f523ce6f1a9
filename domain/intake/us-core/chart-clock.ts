import { type OffsetAt, readClockAt } from '../../course/practice-clock.ts';
import { parseDateAndTime, toLocalSecond } from '../../fhir/dates.ts';
import { asText, isObject, type JsonObject } from '../../fhir/json.ts';

/** The clock by which a chart's days are counted. */
export interface ChartClock {
  /** `YYYY-MM-DD`. */
  readonly today: string;
  /** Of the practice's zone; null if unknown: times in UTC are left unchanged. */
  readonly offsetAt: OffsetAt | null;
}

/**
 * Rewrites a time in UTC as the practice's clock shows it, with its offset. Any other text is left unchanged,
 * and so does midnight in UTC, because many EHRs write a day that way.
 */
export const convertTime = (text: string, { offsetAt }: ChartClock): string => {
  const time = parseDateAndTime(text);
  if (offsetAt === null || time?.offsetMinutes !== 0) return text;
  const isMidnight = time.hour + time.minute + time.second === 0;
  return isMidnight ? text : (readClockAt(toLocalSecond(time), offsetAt) ?? text);
};

// Elements that date a resource. Values that are dates are days already.
const TIMES: ReadonlySet<string> = new Set(
  'effectiveDateTime effectiveInstant onsetDateTime recordedDate start end'.split(' '),
);
const PERIODS: ReadonlySet<string> = new Set(['effectivePeriod', 'onsetPeriod', 'period']);

/** Rewrites the times of a resource that are in UTC as the practice's clock shows them. */
export const convertTimes = (resource: JsonObject, clock: ChartClock): JsonObject =>
  Object.fromEntries(
    Object.entries(resource).map(([name, value]) => [name, convertElement(name, value, clock)]),
  );

const convertElement = (name: string, value: unknown, clock: ChartClock): unknown => {
  if (PERIODS.has(name) && isObject(value)) return convertTimes(value, clock);
  const text = TIMES.has(name) ? asText(value) : null;
  return text === null ? value : convertTime(text, clock);
};
