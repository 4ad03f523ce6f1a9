import type { ReleaseClaims } from '../../domain/submission/ports.ts';

/** Takes tries back that must not count, however often the database is away meanwhile. */
export interface AttemptRefunds {
  /** @throws a fault of the database; then they are owed */
  readonly refund: ReleaseClaims;
  /** Takes back what is owed. @throws a fault of the database; then it still is */
  readonly flush: () => Promise<void>;
}

/** So often outages are not held against one entry: what takes the database down itself must end. */
const MAX_OUTAGES = 20;
/** Entries whose outages are remembered, the last that met one: most of them ended long ago. */
const MAX_REMEMBERED = 10_000;

/**
 * Remembers which tries could not be taken back: an outage of the database ends the try and keeps
 * this from being noted too, and five outages would have ended an ingestion that nothing is wrong
 * with.
 */
export const createAttemptRefunds = (unclaim: ReleaseClaims): AttemptRefunds => {
  const outages = new Map<string, number>();
  let owed: readonly string[] = [];
  const count = (id: string): void => {
    const before = outages.get(id) ?? 0;
    outages.delete(id); // the one that met an outage last stands last
    outages.set(id, before + 1);
    const [oldest] = outages.size > MAX_REMEMBERED ? outages.keys() : [];
    if (oldest !== undefined) outages.delete(oldest);
  };
  const owe = (ids: readonly string[]): void => {
    const forgiven = ids.filter((id) => (outages.get(id) ?? 0) < MAX_OUTAGES);
    for (const id of ids) count(id);
    owed = [...owed, ...forgiven];
  };
  const takeBack = async (ids: readonly string[]): Promise<void> => {
    const before = owed;
    // Another turn must not take the same ones back meanwhile.
    owed = [];
    try {
      await unclaim([...before, ...ids]);
    } catch (error) {
      owed = [...owed, ...before];
      owe(ids);
      throw error;
    }
  };
  return {
    refund: takeBack,
    flush: async () => {
      if (owed.length > 0) await takeBack([]);
    },
  };
};
