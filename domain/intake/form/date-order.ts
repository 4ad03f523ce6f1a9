/** Order of day and month at a practice: `5/12/2026` is May 12 or December 5. */
export type DateOrder = 'month-first' | 'day-first';

export const DATE_ORDERS: readonly DateOrder[] = ['month-first', 'day-first'];

// Time zones of the states, the District of Columbia and the territories, with their older names.
const US_ZONES =
  /^(?:US\/|America\/(?:New_York|Detroit|Chicago|Denver|Boise|Phoenix|Los_Angeles|Anchorage|Juneau|Sitka|Metlakatla|Yakutat|Nome|Adak|Menominee|Shiprock|Fort_Wayne|Indianapolis|Louisville|Puerto_Rico|St_Thomas|Virgin|(?:Indiana|Kentucky|North_Dakota)\/)|Pacific\/(?:Honolulu|Guam|Saipan|Pago_Pago|Samoa|Johnston)$)/;

/** Default order of a practice: month first in the United States. */
export const getDefaultDateOrder = (timeZone: string): DateOrder =>
  US_ZONES.test(timeZone) ? 'month-first' : 'day-first';
