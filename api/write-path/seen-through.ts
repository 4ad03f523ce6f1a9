import type { Dequeue } from '../../domain/ingestion/ports.ts';

/** Ingestions that this process has seen through, whose rows are still in the queue. */
export interface SeenThrough {
  /** @param position of its end in the log */
  note(ingestionId: string, position: bigint): void;
  /** Those whose end the read tables do not show yet: they would be picked again. */
  notShown(): readonly string[];
  /** Drops the rows of all others: their receipts are found in the read tables. @returns how many */
  dropShown(): Promise<number>;
}

/** @param shown how far the read tables are @see SeenThrough */
export const newSeenThrough = (shown: () => bigint, dequeue: Dequeue): SeenThrough => {
  const ends = new Map<string, bigint>();
  return {
    note: (ingestionId, position) => void ends.set(ingestionId, position),
    notShown: () => {
      const upTo = shown();
      return [...ends].flatMap(([id, position]) => (position > upTo ? [id] : []));
    },
    async dropShown() {
      const upTo = shown();
      const ids = [...ends].flatMap(([id, position]) => (position > upTo ? [] : [id]));
      if (ids.length > 0) await dequeue(ids);
      for (const id of ids) ends.delete(id);
      return ids.length;
    },
  };
};
