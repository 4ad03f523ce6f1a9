import type { Clock } from '../../../domain/practice/clock.ts';
import { DEFAULT_TIME_ZONE } from '../../../domain/practice/state.ts';
import { zoneName, zoneNameAtNight } from '../../practice-time/practice-clock.ts';

export interface TimeFormat {
  /** IANA name. */
  readonly timeZone: string;
  readonly clock: Clock;
  /** True before sign-in: no footer names the zone, so each time in it does. */
  readonly namesZone?: boolean;
}

export const DEFAULT_TIME_FORMAT: TimeFormat = { timeZone: DEFAULT_TIME_ZONE, clock: '12' };

/**
 * "May 12, 2026, 2:03 PM"; to visitors, and in a night in which the clocks change, "Nov 1, 2026,
 * 1:30 AM EST".
 */
export const formatTime = (at: Date, times: TimeFormat): string => {
  const part = formatToParts(at, times);
  const { timeZone, namesZone = false } = times;
  const zone = namesZone ? zoneName(at, timeZone) : (zoneNameAtNight(at, timeZone) ?? '');
  const suffixes = [part('dayPeriod'), zone];
  const time = [`${part('hour')}:${part('minute')}`, ...suffixes].filter((text) => text !== '');
  return `${part('month')} ${part('day')}, ${part('year')}, ${time.join(' ')}`;
};

const NOON = 12;

/** Time of day: "2:03 PM" or "14:03". */
export const formatTimeOfDay = (hour: number, minute: number, clock: Clock): string => {
  const minutes = String(minute).padStart(2, '0');
  return clock === '24'
    ? `${String(hour).padStart(2, '0')}:${minutes}`
    : `${hour % NOON || NOON}:${minutes} ${hour < NOON ? 'AM' : 'PM'}`;
};

export const getTimeOptions = ({ timeZone, clock }: TimeFormat): Intl.DateTimeFormatOptions => ({
  timeZone,
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  minute: '2-digit',
  ...(clock === '12'
    ? { hour: 'numeric', hourCycle: 'h12' }
    : { hour: '2-digit', hourCycle: 'h23' }),
});

// From its parts, because the separators differ between versions of the locale data.
const formatToParts = (at: Date, times: TimeFormat) => {
  const parts = getFormatter(times).formatToParts(at);
  return (partType: string) => parts.find(({ type }) => type === partType)?.value ?? '';
};

const formats = new Map<string, Intl.DateTimeFormat>();

const getFormatter = (times: TimeFormat): Intl.DateTimeFormat => {
  const key = `${times.timeZone} ${times.clock}`;
  const existing = formats.get(key);
  if (existing !== undefined) return existing;
  const format = new Intl.DateTimeFormat('en-US', getTimeOptions(times));
  formats.set(key, format);
  return format;
};

const MINUTE_MS = 60_000;

/** "14 minutes". */
export const formatWait = (waitMs: number): string => {
  const minutes = Math.max(1, Math.ceil(waitMs / MINUTE_MS));
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
};
