import { parseDateAndTime, toUtcSecond } from '../fhir/dates.ts';
import { asText } from '../fhir/json.ts';

const FRACTION_DIGITS = 9;

/**
 * UTC with nine fractional digits, which sort as text. Without an offset, UTC is assumed; null without a
 * time.
 * @see spec "FHIR resources read from a submitted course of care", meta.lastUpdated and timestamp
 */
export const normalizeInstant = (value: unknown): string | null => {
  const text = asText(value);
  const time = text === null ? null : parseDateAndTime(text);
  const second = time === null ? null : toUtcSecond(time);
  if (time === null || second === null) return null;
  return `${second}.${time.fraction.slice(0, FRACTION_DIGITS).padEnd(FRACTION_DIGITS, '0')}Z`;
};

const SECOND_LENGTH = 'YYYY-MM-DDTHH:MM:SS'.length;
const FURTHEST_AHEAD_MINUTES = 24 * 60;

/**
 * A stamp from the future would make every later version stale.
 * @see docs/decisions/2026-11-22-stamps-from-the-future.md
 */
export const clampStamp = (stamp: string | null, receivedAt: string): string | null => {
  // Fast path for nearly every stamp: this runs for each version that is read.
  if (stamp === null || stamp.slice(0, SECOND_LENGTH) <= receivedAt.slice(0, SECOND_LENGTH))
    return stamp;
  const received = normalizeInstant(receivedAt);
  const time = parseDateAndTime(receivedAt);
  if (received === null || time === null) return stamp;
  const offsetMinutes = (time.offsetMinutes ?? 0) - FURTHEST_AHEAD_MINUTES;
  const latest = toUtcSecond({ ...time, offsetMinutes });
  return latest !== null && stamp > `${latest}${received.slice(SECOND_LENGTH)}` ? received : stamp;
};

/** An equal or missing stamp is not stale. @see spec "Record lifecycle" */
export const isStale = (candidate: string | null, current: string | null): boolean =>
  candidate !== null && current !== null && candidate < current;
