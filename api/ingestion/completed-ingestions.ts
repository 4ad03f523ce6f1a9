import type { Dequeue } from '../../domain/submission/ports.ts';
import type { AppPorts } from '../ports/app-ports.ts';

/** Ingestions that this process completed, whose rows are still in the queue. */
export interface CompletedIngestions {
  /** @param position of its last event in the log */
  note(ingestionId: string, position: bigint): void;
  /** Calls a function with the first completed ingestion after all others were deleted. */
  onFirst(listener: () => void): void;
  /** Number of ingestions whose rows are still in the queue. */
  count(): number;
  /** Ingestions whose end the read tables do not show yet; workers must not pick them again. */
  unprojected(): readonly string[];
  /** Deletes the rows of all others, whose receipts are in the read tables. @returns their number */
  deleteProjected(): Promise<number>;
}

export const createCompletedIngestions = (
  progress: Pick<AppPorts['progress'], 'position' | 'epoch' | 'look'>,
  dequeue: Dequeue,
): CompletedIngestions => {
  const ends = new Map<string, bigint>();
  let onFirst: () => void = () => undefined;
  let epoch = progress.epoch();
  /** After a rebuild, maybe from an older log, only the log shows what was completed. */
  const forgetOtherEpoch = (): void => {
    if (progress.epoch() !== epoch) ends.clear();
    epoch = progress.epoch();
  };
  const namesOf = (isWanted: (end: bigint) => boolean): readonly string[] => {
    forgetOtherEpoch();
    return [...ends].flatMap(([id, end]) => (isWanted(end) ? [id] : []));
  };
  const unprojected = () => {
    const shown = progress.position();
    return namesOf((end) => end > shown);
  };
  return {
    note(ingestionId, position) {
      forgetOtherEpoch();
      ends.set(ingestionId, position);
      if (ends.size === 1) onFirst();
    },
    onFirst(listener) {
      onFirst = listener;
    },
    count: () => ends.size,
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
