import { isUsTimeZone } from '../../us-time-zones.ts';

/** Order of day and month at a practice: `5/12/2026` is May 12 or December 5. */
export type DateOrder = 'month-first' | 'day-first';

export const DATE_ORDERS: readonly DateOrder[] = ['month-first', 'day-first'];

export const getDefaultDateOrder = (timeZone: string): DateOrder =>
  isUsTimeZone(timeZone) ? 'month-first' : 'day-first';
