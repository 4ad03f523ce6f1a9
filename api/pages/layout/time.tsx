import { zoneNameAtNight } from '../../practice-time/practice-clock.ts';
import { useFrame } from './frame-context.ts';

/** Time in the practice's time zone: "May 12, 2026, 14:03". The footer names the zone. */
export const Time = ({ at }: { readonly at: Date }) => (
  <time dateTime={at.toISOString()}>{formatTime(at, useFrame().timeZone)}</time>
);

/**
 * Time in words: "May 12, 2026, 14:03"; in a night in which the clocks change, "Nov 1, 2026, 01:30
 * EST".
 * @param timeZone IANA name
 */
export const formatTime = (at: Date, timeZone: string): string => {
  const part = formatToParts(at, timeZone);
  const zone = zoneNameAtNight(at, timeZone);
  const clock = `${part('hour')}:${part('minute')}${zone === null ? '' : ` ${zone}`}`;
  return `${part('month')} ${part('day')}, ${part('year')}, ${clock}`;
};

// From its parts, because the separators differ between versions of the locale data.
const formatToParts = (at: Date, timeZone: string) => {
  const parts = getFormatter(timeZone).formatToParts(at);
  return (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? '';
};

const formats = new Map<string, Intl.DateTimeFormat>();

const getFormatter = (timeZone: string): Intl.DateTimeFormat => {
  const held = formats.get(timeZone);
  if (held !== undefined) return held;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  formats.set(timeZone, format);
  return format;
};
