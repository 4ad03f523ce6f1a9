/**
 * The work of a frozen process is taken over shortly after this. Leaves a margin below the promised
 * ten seconds for a busy processor.
 */
export const LEASE_MS = 6_500;
