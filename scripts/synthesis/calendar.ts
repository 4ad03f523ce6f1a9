/** Seconds since 1970-01-01T00:00:00 UTC. */
export type Moment = number;

/** Time zone of the United States: winter offset in hours, and use of daylight saving time. */
export interface Zone {
  readonly standardHours: number;
  readonly hasDaylightTime: boolean;
}

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const findStartOfDate = (date: string, zone: Zone): Moment => {
  const midnight = Date.parse(date) / 1000;
  return midnight - findOffsetHours(midnight, zone) * HOUR;
};

/** Local date of a moment, `YYYY-MM-DD`. */
export const formatLocalDate = (moment: Moment, zone: Zone): string =>
  formatLocal(moment, zone).slice(0, 10);

/** Day of the week, 0 for Sunday to 6 for Saturday. */
export const findWeekday = (moment: Moment, zone: Zone): number =>
  new Date(formatLocalDate(moment, zone)).getUTCDay();

/** Date plus a number of days, which may be negative. */
export const addDays = (date: string, days: number): string =>
  formatMoment(Date.parse(date) / 1000 + days * DAY).slice(0, 10);

/** Moment in UTC, `2025-03-14T10:00:00Z`. */
export const formatUtc = (moment: Moment): string => `${formatMoment(moment)}Z`;

/** Local time with offset: `2025-03-14T05:00:00-05:00`. */
export const formatZoned = (moment: Moment, zone: Zone): string =>
  `${formatLocal(moment, zone)}-${String(-findOffsetHours(moment, zone)).padStart(2, '0')}:00`;

const formatLocal = (moment: Moment, zone: Zone): string =>
  formatMoment(moment + findOffsetHours(moment, zone) * HOUR);

const formatMoment = (moment: Moment): string =>
  new Date(moment * 1000).toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length);

// From the second Sunday of March to the first Sunday of November. Changes at midnight UTC, so times
// near a clock change may be an hour off.
const findOffsetHours = (moment: Moment, { standardHours, hasDaylightTime }: Zone): number => {
  const year = new Date(moment * 1000).getUTCFullYear();
  const isSummer = moment >= findSunday(year, 2, 8) && moment < findSunday(year, 10, 1);
  return hasDaylightTime && isSummer ? standardHours + 1 : standardHours;
};

const findSunday = (year: number, month: number, day: number): Moment => {
  const ahead = (7 - new Date(Date.UTC(year, month, day)).getUTCDay()) % 7;
  return Date.UTC(year, month, day + ahead) / 1000;
};
