/** Seconds since 1970-01-01T00:00:00 UTC. */
export type Moment = number;

/** Time zone of the United States: winter offset in hours, and use of daylight saving time. */
export interface Zone {
  readonly standardHours: number;
  readonly hasDaylightTime: boolean;
}

/** Durations in seconds. */
export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Start of a local date. */
export const startOfDate = (date: string, zone: Zone): Moment => {
  const midnight = Date.parse(date) / 1000;
  return midnight - offsetHours(midnight, zone) * HOUR;
};

/** Local date of a moment, `YYYY-MM-DD`. */
export const localDate = (moment: Moment, zone: Zone): string =>
  localText(moment, zone).slice(0, 10);

/** Day of the week, 0 for Sunday to 6 for Saturday. */
export const weekday = (moment: Moment, zone: Zone): number =>
  new Date(localDate(moment, zone)).getUTCDay();

/** Date plus a number of days, which may be negative. */
export const datePlusDays = (date: string, days: number): string =>
  textOf(Date.parse(date) / 1000 + days * DAY).slice(0, 10);

/** Moment in UTC, `2025-03-14T10:00:00Z`. */
export const utcText = (moment: Moment): string => `${textOf(moment)}Z`;

/** Local time with offset: `2025-03-14T05:00:00-05:00`. */
export const zonedText = (moment: Moment, zone: Zone): string =>
  `${localText(moment, zone)}-${String(-offsetHours(moment, zone)).padStart(2, '0')}:00`;

const localText = (moment: Moment, zone: Zone): string =>
  textOf(moment + offsetHours(moment, zone) * HOUR);

const textOf = (moment: Moment): string =>
  new Date(moment * 1000).toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length);

// From the second Sunday of March to the first Sunday of November. Changes at midnight UTC, so times
// near a clock change may be an hour off.
const offsetHours = (moment: Moment, { standardHours, hasDaylightTime }: Zone): number => {
  const year = new Date(moment * 1000).getUTCFullYear();
  const isSummer = moment >= sundayFrom(year, 2, 8) && moment < sundayFrom(year, 10, 1);
  return hasDaylightTime && isSummer ? standardHours + 1 : standardHours;
};

const sundayFrom = (year: number, month: number, day: number): Moment => {
  const ahead = (7 - new Date(Date.UTC(year, month, day)).getUTCDay()) % 7;
  return Date.UTC(year, month, day + ahead) / 1000;
};
