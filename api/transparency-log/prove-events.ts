import { formatProvedEvent, type ProvedEvent } from '../../transparency-log/event-proof.ts';
import { formatLeafEntry, hashLeaf, type PlacedLeaf } from '../../transparency-log/leaf-entry.ts';
import { omitIncomplete } from '../../transparency-log/log-tree.ts';
import { computeRootFromInclusion, isSame } from '../../transparency-log/merkle-tree.ts';
import { readOnce } from '../../transparency-log/tiles.ts';
import { proveLeaf } from '../../transparency-log/tlog-proof.ts';
import type { AppPorts } from '../ports/app-ports.ts';

export class EventNotInTree extends Error {
  override readonly name = 'EventNotInTree';
}

/**
 * Omits new events, which the last checkpoint does not cover. @returns in the order of the events
 * @throws EventNotInTree
 */
export const proveSignedEvents = async (
  ports: Pick<AppPorts, 'hotReads'>,
  events: readonly PlacedLeaf[],
): Promise<readonly ProvedEvent[]> => {
  const size = (await ports.hotReads.findLastCheckpoint())?.size ?? 0;
  const indexes = await ports.hotReads.findLeafIndexes(events);
  const signed = events.filter((_, at) => (indexes[at] ?? size) < size);
  return (await proveEvents(ports, signed)) ?? [];
};

/**
 * @returns in the order of the events; `null` until a checkpoint covers them all
 * @throws EventNotInTree
 */
export const proveEvents = (
  { hotReads }: Pick<AppPorts, 'hotReads'>,
  events: readonly PlacedLeaf[],
): Promise<readonly ProvedEvent[] | null> =>
  omitIncomplete(
    (async () => {
      const checkpoint = await hotReads.findLastCheckpoint();
      const found = await hotReads.findLeafIndexes(events);
      const indexes = found.filter((index) => index !== null && index < (checkpoint?.size ?? 0));
      if (checkpoint === null || indexes.length < events.length) return null;
      const readTile = readOnce(hotReads.readTile);
      const proved: ProvedEvent[] = [];
      for (const [at, event] of events.entries()) {
        const index = Number(indexes[at]);
        const leaf = hashLeaf(formatLeafEntry(event));
        const proof = await proveLeaf(index, checkpoint, readTile);
        const root = computeRootFromInclusion(leaf, index, checkpoint.size, proof.path);
        if (root === null || !isSame(root, checkpoint.root))
          throw new EventNotInTree(
            'An event of the log is not the one that its tree was made of. Run `birth-registry verify`, which names it.',
          );
        proved.push(formatProvedEvent(event, leaf, proof));
      }
      return proved;
    })(),
  );
