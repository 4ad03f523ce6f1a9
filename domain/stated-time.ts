/** Maximum difference between our clock and the clock of another machine, in seconds. */
export const MAX_CLOCK_DIFFERENCE_S = 180;

export const MAX_CLOCK_DIFFERENCE_MS = MAX_CLOCK_DIFFERENCE_S * 1_000;

/**
 * Parses a time of the past that another machine states, in seconds since 1970. It may have a fraction.
 * @returns `null` if it is no such time, or further in the future than clocks may differ
 */
export const parseStatedTime = (seconds: unknown, now: Date): Date | null => {
  if (typeof seconds !== 'number' || !(seconds >= 0)) return null;
  const ms = seconds * 1_000;
  return ms <= now.getTime() + MAX_CLOCK_DIFFERENCE_MS ? new Date(ms) : null;
};
