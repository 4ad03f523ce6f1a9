import type { Dequeue } from '../../domain/submission/ports.ts';
import type { AppPorts } from '../ports/app-ports.ts';

/** Ingestions that this process has seen through, whose rows are still in the queue. */
export interface CompletedIngestions {
  /** @param position of its end in the log */
  note(ingestionId: string, position: bigint): void;
  /** Those whose end the read tables do not show yet: they would be picked again. */
  unprojected(): readonly string[];
  /** Drops the rows of all others: their receipts are found in the read tables. @returns how many */
  deleteProjected(): Promise<number>;
}

/** @see CompletedIngestions */
export const createCompletedIngestions = (
  progress: Pick<AppPorts['progress'], 'position' | 'look'>,
  dequeue: Dequeue,
): CompletedIngestions => {
  const ends = new Map<string, bigint>();
  const namesOf = (isWanted: (end: bigint) => boolean): readonly string[] =>
    [...ends].flatMap(([id, end]) => (isWanted(end) ? [id] : []));
  const unprojected = () => {
    const shown = progress.position();
    return namesOf((end) => end > shown);
  };
  return {
    note: (ingestionId, position) => void ends.set(ingestionId, position),
    unprojected,
    async deleteProjected() {
      if (unprojected().length > 0) await progress.look();
      const shown = progress.position();
      const ids = namesOf((end) => end <= shown);
      if (ids.length > 0) await dequeue(ids);
      for (const id of ids) ends.delete(id);
      return ids.length;
    },
  };
};
