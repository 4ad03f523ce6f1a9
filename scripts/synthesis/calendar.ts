import { toDate, toDayNumber } from '../../domain/fhir/dates.ts';

/** Seconds since 0001-01-01T00:00:00 UTC. */
export type Moment = number;

/** Time zone of the United States: winter offset in minutes, and use of daylight saving time. */
export interface Zone {
  readonly standardMinutes: number;
  readonly hasDaylightTime: boolean;
}

/** Durations in seconds. */
export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const DAYS_OF_WEEK = 7;
const SUNDAY = 6;

/** Start of a local date. */
export const startOfDate = (date: string, zone: Zone): Moment =>
  toDayNumber(date) * DAY - offsetOn(toDayNumber(date), zone) * MINUTE;

/** Local date of a moment, `YYYY-MM-DD`. */
export const localDate = (moment: Moment, zone: Zone): string => toDate(localDay(moment, zone));

/** Day of the week, 0 for Monday to 6 for Sunday. */
export const weekday = (moment: Moment, zone: Zone): number =>
  // 0001-01-01 was a Monday.
  localDay(moment, zone) % DAYS_OF_WEEK;

/** Local date plus a number of days, which may be negative. */
export const datePlusDays = (date: string, days: number): string =>
  toDate(toDayNumber(date) + days);

/** Moment in UTC, `2025-03-14T10:00:00Z`. */
export const utcText = (moment: Moment): string =>
  `${toDate(Math.floor(moment / DAY))}T${clock(moment % DAY)}Z`;

/** Local time with offset: `2025-03-14T05:00:00-05:00`. */
export const zonedText = (moment: Moment, zone: Zone): string => {
  const minutes = offsetOn(Math.floor(moment / DAY), zone);
  const sign = minutes < 0 ? '-' : '+';
  const size = Math.abs(minutes);
  const offset = `${sign}${padded(Math.floor(size / 60))}:${padded(size % 60)}`;
  return `${localText(moment, zone)}${offset}`;
};

/** Local time without offset: `2025-03-14T05:00:00`. */
export const localText = (moment: Moment, zone: Zone): string => {
  const local = moment + offsetOn(Math.floor(moment / DAY), zone) * MINUTE;
  return `${toDate(Math.floor(local / DAY))}T${clock(local % DAY)}`;
};

const localDay = (moment: Moment, zone: Zone): number =>
  Math.floor((moment + offsetOn(Math.floor(moment / DAY), zone) * MINUTE) / DAY);

// Changes at midnight, so times near a clock change may be an hour off.
const offsetOn = (day: number, { standardMinutes, hasDaylightTime }: Zone): number => {
  if (!hasDaylightTime) return standardMinutes;
  const year = toDate(day).slice(0, 4);
  // From the second Sunday of March to the first Sunday of November.
  const begins = sundayFrom(toDayNumber(`${year}-03-08`));
  const ends = sundayFrom(toDayNumber(`${year}-11-01`));
  return day >= begins && day < ends ? standardMinutes + 60 : standardMinutes;
};

const sundayFrom = (day: number): number =>
  day + ((SUNDAY - (day % DAYS_OF_WEEK) + DAYS_OF_WEEK) % DAYS_OF_WEEK);

const clock = (seconds: number): string =>
  [Math.floor(seconds / HOUR), Math.floor((seconds % HOUR) / MINUTE), Math.floor(seconds % MINUTE)]
    .map(padded)
    .join(':');

const padded = (value: number): string => String(value).padStart(2, '0');
