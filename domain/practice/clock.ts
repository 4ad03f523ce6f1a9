import { isUsTimeZone } from '../us-time-zones.ts';

/** Hours on the clock of a practice: `11:05 PM` or `23:05`. */
export type Clock = '12' | '24';

export const CLOCKS: readonly Clock[] = ['12', '24'];

export const getDefaultClock = (timeZone: string): Clock => (isUsTimeZone(timeZone) ? '12' : '24');
