import { isSame } from './merkle-tree.ts';

/** A leaf by the event that it stands for. @see formatLeafName */
export interface NamedLeaf {
  readonly event: string;
  readonly hash: Uint8Array;
}

/** How an event of the log differs from the tree that was kept of it. */
export type LeafDifference = {
  readonly event: string;
  /** The leaf in the kept tree; of an event that was added, the leaf that it would be. From 0. */
  readonly index: number;
  /** `moved`: it stands in another place among its neighbors. */
  readonly kind: 'changed' | 'moved' | 'added' | 'gone';
};

/** So far ahead is looked for where both agree again. */
const WINDOW = 1_000;
/** More that were added or are gone are not remembered: the first of them say enough. */
const MAX_REMEMBERED = 10_000;

/** Compares the leaves of a log, one after the other, with those of a tree that was kept. */
export interface LeafComparison {
  /** The next event of the log. */
  add(leaf: NamedLeaf): Promise<void>;
  /** The log has ended. @returns what it lacks at its end, in order, up to a number; and how much that is */
  end(most: number): Promise<TruncatedTail>;
}

/** What a tree holds behind the end of a log. */
export interface TruncatedTail {
  /** The first leaf that is lost. From 0. */
  readonly from: number;
  readonly count: number;
  readonly events: readonly string[];
}

type Placed = NamedLeaf & { readonly index: number };

/**
 * @param kept leaves of the tree from its start, as many as it had before the log was read
 * @param tell told of each difference, of what was added or is gone when it is known not to stand elsewhere
 */
export const compareLeaves = (
  kept: AsyncIterator<NamedLeaf>,
  tell: (difference: LeafDifference) => void,
): LeafComparison => {
  let ofLog: Placed[] = [];
  let ofTree: Placed[] = [];
  let seenOfLog = 0;
  let seenOfTree = 0;
  let isTreeRead = false;
  /** Names of what waits in one of both lists only: 1 for the log, -1 for the tree. */
  const unpaired = new Map<string, number>();
  const added = new Map<string, Placed>();
  const gone = new Map<string, Placed>();

  const nextOfTree = async (): Promise<void> => {
    const next = await kept.next();
    if (next.done === true) isTreeRead = true;
    else {
      ofTree.push({ ...next.value, index: seenOfTree });
      count(next.value.event, -1);
      seenOfTree += 1;
    }
  };
  const count = (event: string, by: 1 | -1): void => {
    const now = (unpaired.get(event) ?? 0) + by;
    if (now === 0) unpaired.delete(event);
    else unpaired.set(event, now);
  };
  const compareHashes = (leaf: Placed, held: Placed): void => {
    if (!isSame(leaf.hash, held.hash))
      tell({ kind: 'changed', event: held.event, index: held.index });
  };
  const isMoved = (leaf: Placed, held: Placed): void => {
    tell({ kind: 'moved', event: held.event, index: held.index });
    compareHashes(leaf, held);
  };
  const isAdded = (leaf: Placed): void => {
    const held = gone.get(leaf.event);
    if (held !== undefined) isMoved(leaf, held);
    else if (added.size < MAX_REMEMBERED) added.set(leaf.event, leaf);
    gone.delete(leaf.event);
  };
  const isGone = (held: Placed): void => {
    const leaf = added.get(held.event);
    if (leaf !== undefined) isMoved(leaf, held);
    else if (gone.size < MAX_REMEMBERED) gone.set(held.event, held);
    added.delete(held.event);
  };

  /** Both lists hold the same events: what differs is their order. */
  const settle = (): void => {
    const places = new Map(ofTree.map((held) => [held.event, held]));
    for (const [at, leaf] of ofLog.entries()) {
      const held = places.get(leaf.event);
      if (held === undefined) continue;
      if (ofTree[at] === held) compareHashes(leaf, held);
      else isMoved(leaf, held);
    }
    ofLog = [];
    ofTree = [];
  };

  /** Goes through both lists as far as one of them reaches. */
  const align = (): void => {
    const inLog = new Map(ofLog.map((leaf) => [leaf.event, leaf]));
    const inTree = new Map(ofTree.map((held) => [held.event, held]));
    const isPassed = new Set<string>();
    let [at, heldAt] = [0, 0];
    while (at < ofLog.length && heldAt < ofTree.length) {
      const [leaf, held] = [ofLog[at], ofTree[heldAt]];
      if (leaf === undefined || held === undefined) break;
      const elsewhere = inTree.get(leaf.event);
      if (isPassed.has(held.event)) heldAt += 1;
      else if (leaf.event === held.event) {
        compareHashes(leaf, held);
        at += 1;
        heldAt += 1;
      } else if (elsewhere === undefined) {
        isAdded(leaf);
        at += 1;
      } else if (!inLog.has(held.event)) {
        isGone(held);
        heldAt += 1;
      } else {
        isMoved(leaf, elsewhere);
        isPassed.add(leaf.event);
        at += 1;
      }
    }
    ofLog = ofLog.slice(at);
    ofTree = ofTree.slice(heldAt).filter(({ event }) => !isPassed.has(event));
    unpaired.clear();
    for (const { event } of ofLog) count(event, 1);
    for (const { event } of ofTree) count(event, -1);
  };

  return {
    async add(leaf) {
      if (isTreeRead && ofTree.length === 0) {
        // All that comes behind the end of the tree came after the tree was looked at.
        ofLog = [];
        seenOfLog += 1;
        return;
      }
      ofLog.push({ ...leaf, index: seenOfLog });
      count(leaf.event, 1);
      seenOfLog += 1;
      while (ofTree.length < ofLog.length && !isTreeRead) await nextOfTree();
      if (unpaired.size === 0) settle();
      else if (ofLog.length >= WINDOW) align();
    },
    async end(most) {
      while (ofTree.length < WINDOW && !isTreeRead) await nextOfTree();
      align();
      const lost: string[] = [];
      let from: number | null = null;
      let left = 0;
      for (;;) {
        for (const held of ofTree)
          if (added.has(held.event)) isGone(held);
          else {
            from ??= held.index;
            left += 1;
            if (lost.length < most) lost.push(held.event);
          }
        ofTree = [];
        unpaired.clear();
        if (isTreeRead) break;
        await nextOfTree();
      }
      // What the log holds behind the end of the tree came after the tree was looked at.
      for (const { event, index } of added.values())
        if (index < seenOfTree) tell({ kind: 'added', event, index });
      for (const { event, index } of gone.values()) tell({ kind: 'gone', event, index });
      return { from: from ?? seenOfTree, count: left, events: lost };
    },
  };
};
