import { type OffsetAt, shownAt } from '../course-of-care/entering/clock-changes.ts';
import { localSecond, parseDateAndTime } from '../fhir/dates.ts';
import { isObject, type JsonObject, textOf } from '../fhir/json.ts';

/** What the days of a chart are told by. */
export interface ChartClock {
  /** `YYYY-MM-DD`. */
  readonly today: string;
  /** Of the practice's zone; null: it is not known, and times in UTC stay as they are. */
  readonly offsetAt: OffsetAt | null;
}

/**
 * A time in UTC as the practice's clock shows it, with its offset; any other text as it is. So is midnight
 * in UTC: that is how many EHRs write a day.
 */
export const onClock = (text: string, { offsetAt }: ChartClock): string => {
  const time = parseDateAndTime(text);
  if (offsetAt === null || time?.offsetMinutes !== 0) return text;
  const isMidnight = time.hour + time.minute + time.second === 0;
  return isMidnight ? text : (shownAt(localSecond(time), offsetAt) ?? text);
};

/** When something was, in the resources that are read. Values that are dates are days already. */
const TIMES = ['effectiveDateTime', 'effectiveInstant', 'onsetDateTime', 'recordedDate'] as const;
const PERIODS = ['effectivePeriod', 'onsetPeriod', 'period'] as const;

/** A resource whose times in UTC are those of the practice's clock. */
export const timedBy =
  (clock: ChartClock) =>
  (resource: JsonObject): JsonObject => {
    const timed = { ...resource };
    for (const name of TIMES) timed[name] = shown(resource[name], clock);
    for (const name of PERIODS) {
      const period = resource[name];
      if (isObject(period))
        timed[name] = {
          ...period,
          start: shown(period['start'], clock),
          end: shown(period['end'], clock),
        };
    }
    return timed;
  };

const shown = (value: unknown, clock: ChartClock): unknown => {
  const text = textOf(value);
  return text === null ? value : onClock(text, clock);
};
