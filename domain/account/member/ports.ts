/**
 * Holds the seats of a practice while the work runs: in all processes, one at a time.
 * @param work is given the ids of everybody who has or had a seat, as the read tables know them
 */
export type HoldSeats = <T>(
  practiceId: string,
  work: (memberIds: readonly string[]) => Promise<T>,
) => Promise<T>;
