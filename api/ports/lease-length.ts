/**
 * Within this and a little more, the work of a frozen process is taken over: in less than the ten
 * seconds that are promised, also where many others want the processor.
 */
export const LEASE_MS = 6_500;
