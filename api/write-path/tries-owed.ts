import type { UnclaimEntries } from '../../domain/ingestion/ports.ts';

/** Takes tries back that must not count, however often the database is away meanwhile. */
export interface TriesOwed {
  /** @throws a fault of the database; then they are owed */
  readonly takeBack: UnclaimEntries;
  /** Takes back what is owed. @throws a fault of the database; then it still is */
  readonly settle: () => Promise<void>;
}

/**
 * Remembers which tries could not be taken back: an outage of the database ends the try and keeps
 * this from being noted too, and five outages would have ended an ingestion that nothing is wrong
 * with.
 */
export const triesOwedTo = (unclaim: UnclaimEntries): TriesOwed => {
  let owed: readonly string[] = [];
  const takeBack = async (attempts: readonly string[]): Promise<void> => {
    const all = [...owed, ...attempts];
    // Another turn must not take the same ones back meanwhile.
    owed = [];
    try {
      await unclaim(all);
    } catch (error) {
      owed = [...owed, ...all];
      throw error;
    }
  };
  return {
    takeBack,
    settle: async () => {
      if (owed.length > 0) await takeBack([]);
    },
  };
};
