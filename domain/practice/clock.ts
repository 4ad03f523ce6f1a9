import { isUsTimeZone } from '../us-time-zones.ts';

/** Hours on the clock of a practice: `11:05 PM` or `23:05`. */
export type Clock = '12' | '24';

export const CLOCKS: readonly Clock[] = ['12', '24'];

/** Default clock of a practice: 12 hours in the United States. */
export const getDefaultClock = (timeZone: string): Clock => (isUsTimeZone(timeZone) ? '12' : '24');
