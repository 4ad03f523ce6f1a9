import {
  isDate,
  isDateTime,
  parseDateAndTime,
  toDayNumber,
  toSecondNumber,
  toUtcSecond,
} from './dates.ts';
import { asObject, asText, type JsonObject } from './json.ts';

export interface Moment {
  readonly text: string;
  /** Local day of the sender, as counted by `toDayNumber`; null for a month or year. */
  readonly day: number | null;
  /** Sorts by time: `YYYY-MM-DDTHH:MM:SS` in UTC, or shorter if less is known. */
  readonly order: string;
}

const toMoment = (value: unknown): Moment | null => {
  const text = asText(value);
  if (text === null || !isDateTime(text)) return null;
  const time = parseDateAndTime(text);
  if (time !== null)
    return { text, day: toDayNumber(time.date), order: toUtcSecond(time) ?? time.date };
  return { text, day: isDate(text) ? toDayNumber(text) : null, order: text };
};

export const findFirstMoment = (...values: readonly unknown[]): Moment | null => {
  for (const value of values) {
    const moment = toMoment(value);
    if (moment !== null) return moment;
  }
  return null;
};

/** Lists the time of an Observation and the ends of its period, never the time of recording. */
export const listObservationTimes = (observation: JsonObject): readonly unknown[] => {
  const period = asObject(observation['effectivePeriod']);
  return [
    observation['effectiveDateTime'],
    observation['effectiveInstant'],
    period['end'],
    period['start'],
  ];
};

export const readObservationMoment = (observation: JsonObject): Moment | null =>
  findFirstMoment(...listObservationTimes(observation));

/** Returns the period of an Encounter; `end` is null while it continues. */
export const readPeriod = (
  encounter: JsonObject,
): { readonly start: Moment | null; readonly end: Moment | null } => {
  const period = asObject(encounter['period']);
  return { start: toMoment(period['start']), end: toMoment(period['end']) };
};

/** Returns the seconds between two times; null unless both have an offset or both are local. */
export const countSecondsBetween = (from: string, to: string): number | null => {
  const [first, second] = [parseDateAndTime(from), parseDateAndTime(to)];
  if (first === null || second === null) return null;
  if ((first.offsetMinutes === null) !== (second.offsetMinutes === null)) return null;
  return toSecondNumber(second) - toSecondNumber(first);
};
