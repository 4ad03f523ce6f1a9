import { parseDateAndTime, toUtcSecond } from '../fhir/dates.ts';
import { textOf } from '../fhir/json.ts';

const FRACTION_DIGITS = 9;

/**
 * The instant in UTC with nine digits of fraction, `2024-11-14T18:18:42.470213000Z`: texts of one
 * length, so that comparing them compares the instants. No offset means UTC; a date without time
 * is no instant. Digits after the ninth are cut.
 * @see spec "FHIR resources read from a submitted course of care", meta.lastUpdated and timestamp
 */
export const normaliseInstant = (value: unknown): string | null => {
  const text = textOf(value);
  const time = text === null ? null : parseDateAndTime(text);
  const second = time === null ? null : toUtcSecond(time);
  if (time === null || second === null) return null;
  return `${second}.${time.fraction.slice(0, FRACTION_DIGITS).padEnd(FRACTION_DIGITS, '0')}Z`;
};

/**
 * Says whether a stamp is older than the one held. Both are normalised instants; an equal or
 * missing stamp is not stale.
 * @see spec "Record lifecycle"
 */
export const isStale = (candidate: string | null, held: string | null): boolean =>
  candidate !== null && held !== null && candidate < held;
