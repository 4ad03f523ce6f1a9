// Time zones of the states, the District of Columbia and the territories, with their older names.
const US_ZONES =
  /^(?:US\/|America\/(?:New_York|Detroit|Chicago|Denver|Boise|Phoenix|Los_Angeles|Anchorage|Juneau|Sitka|Metlakatla|Yakutat|Nome|Adak|Menominee|Shiprock|Fort_Wayne|Indianapolis|Louisville|Puerto_Rico|St_Thomas|Virgin|(?:Indiana|Kentucky|North_Dakota)\/)|Pacific\/(?:Honolulu|Guam|Saipan|Pago_Pago|Samoa|Johnston)$)/;

export const isUsTimeZone = (timeZone: string): boolean => US_ZONES.test(timeZone);
