import type { App } from '../ports/app-ports.ts';

/** Their rows are still in the queue. */
export interface CompletedIngestions {
  /** @param position of the last event in the log */
  note(ingestionId: string, position: bigint): void;
  /** Called with the first completed ingestion after all others were deleted. */
  onFirst(listener: () => void): void;
  count(): number;
  /** Workers must not pick these again, although the read tables do not show their end yet. */
  listUnprojected(): readonly string[];
  /** @returns number of deleted rows */
  deleteProjected(): Promise<number>;
}

export const createCompletedIngestions = (
  progress: Pick<App['progress'], 'position' | 'epoch' | 'look'>,
  dequeue: App['queue']['dequeue'],
): CompletedIngestions => {
  const ends = new Map<string, bigint>();
  let onFirst: () => void = () => undefined;
  let epoch = progress.epoch();
  /** After a rebuild, maybe from an older log, only the log shows what was completed. */
  const forgetOtherEpoch = (): void => {
    if (progress.epoch() !== epoch) ends.clear();
    epoch = progress.epoch();
  };
  const listIds = (predicate: (end: bigint) => boolean): readonly string[] => {
    forgetOtherEpoch();
    return [...ends].flatMap(([id, end]) => (predicate(end) ? [id] : []));
  };
  const listUnprojected = () => {
    const position = progress.position();
    return listIds((end) => end > position);
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
    listUnprojected,
    async deleteProjected() {
      if (listUnprojected().length > 0) await progress.look();
      const position = progress.position();
      const ids = listIds((end) => end <= position);
      if (ids.length > 0) await dequeue(ids);
      for (const id of ids) ends.delete(id);
      return ids.length;
    },
  };
};
