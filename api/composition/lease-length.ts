/** Within this and a little more, the work of a frozen process is taken over. */
export const LEASE_MS = 8_000;
