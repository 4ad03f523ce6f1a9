import { type ProvedEvent, provedEvent } from '../../domain/transparency-log/event-proof.ts';
import { leafEntry, leafHash, type PlacedLeaf } from '../../domain/transparency-log/leaf-entry.ts';
import { isSame, rootFromInclusion } from '../../domain/transparency-log/merkle-tree.ts';
import { proveLeaf } from '../../domain/transparency-log/tlog-proof.ts';
import type { BoundRegistry } from '../registry/registry.ts';

/** An event that the log holds now is not the one that the tree was made of. */
export class EventNotInTree extends Error {
  override readonly name = 'EventNotInTree';
}

/**
 * Proves that events are in the log, by the last checkpoint.
 * @returns in the order of the events; null for one that no checkpoint covers yet
 * @throws EventNotInTree
 */
export const proveEvents = async (
  { hotReads }: Pick<BoundRegistry, 'hotReads'>,
  events: readonly PlacedLeaf[],
): Promise<readonly (ProvedEvent | null)[]> => {
  const checkpoint = await hotReads.lastCheckpoint();
  if (checkpoint === null) return events.map(() => null);
  const { size, root } = checkpoint;
  const indexes = await hotReads.leafIndexes(events);
  const proved: (ProvedEvent | null)[] = [];
  for (const [at, event] of events.entries()) {
    const index = indexes[at] ?? size;
    if (index >= size) {
      proved.push(null);
      continue;
    }
    const proof = await proveLeaf(index, checkpoint, hotReads.readTile);
    const found = rootFromInclusion(leafHash(leafEntry(event)), index, size, proof.path);
    if (found === null || !isSame(found, root))
      throw new EventNotInTree(
        'An event of the log is not the one that its tree was made of. Run `operator verify`, which names it.',
      );
    proved.push(provedEvent(event, proof));
  }
  return proved;
};
