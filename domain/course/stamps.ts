import { parseDateAndTime, toUtcSecond } from '../fhir/dates.ts';
import { asText } from '../fhir/json.ts';

const FRACTION_DIGITS = 9;

/**
 * Converts an instant to UTC with nine fractional digits, `2024-11-14T18:18:42.470213000Z`. All
 * results have the same length, so they sort as text. Without an offset, UTC is assumed; null for a
 * date without a time. Digits after the ninth are dropped.
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
 * Replaces a stamp that is more than 24 hours ahead of its receipt with the time of receipt.
 * Otherwise it would make every later version stale.
 * @param stamp a normalized instant
 * @param receivedAt ISO 8601
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

/**
 * True if a stamp is older than the current one. Both are normalized instants; an equal or missing
 * stamp is not stale.
 * @see spec "Record lifecycle"
 */
export const isStale = (candidate: string | null, current: string | null): boolean =>
  candidate !== null && current !== null && candidate < current;
