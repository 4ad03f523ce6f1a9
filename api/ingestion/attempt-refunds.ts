import type { ReleaseClaims } from '../../domain/submission/ports.ts';

export interface AttemptRefunds {
  /** @throws a database fault; the attempts are then owed */
  readonly refund: ReleaseClaims;
  /** @throws a database fault; the attempts stay owed */
  readonly flush: () => Promise<void>;
}

/** An entry that itself crashes the database must fail. */
const MAX_OUTAGES = 20;
/** The oldest outages are dropped first. */
const MAX_REMEMBERED = 10_000;

/** An outage that ends an attempt also blocks its refund, and must not fail a healthy ingestion. */
export const createAttemptRefunds = (unclaim: ReleaseClaims): AttemptRefunds => {
  const outages = new Map<string, number>();
  let owed: readonly string[] = [];
  const count = (id: string): void => {
    const before = outages.get(id) ?? 0;
    outages.delete(id); // keeps the map in order of the latest outage
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
    // Keeps a concurrent batch from refunding these twice.
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
