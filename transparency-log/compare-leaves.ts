import { isSame } from './merkle-tree.ts';

/** A leaf with the name of its event. @see formatLeafName */
export interface NamedLeaf {
  readonly event: string;
  readonly hash: Uint8Array;
}

/** Difference between an event of the log and its leaf in the stored tree. */
export type LeafDifference = {
  readonly event: string;
  /** Zero-based index of the leaf in the stored tree, or the index that an added event would have. */
  readonly index: number;
  /** `moved` means that its position relative to its neighbors differs. */
  readonly kind: 'changed' | 'moved' | 'added' | 'gone';
};

/** Number of leaves to look ahead for the point where log and tree match again. */
const WINDOW = 1_000;
/** Limits memory. More additions and removals would not make the report more useful. */
const MAX_REMEMBERED = 10_000;

export interface LeafComparison {
  add(leaf: NamedLeaf): Promise<void>;
  /** Called at the end of the log. @param most maximum number of missing events to name */
  end(most: number): Promise<TruncatedTail>;
}

export interface TruncatedTail {
  readonly from: number;
  readonly count: number;
  readonly events: readonly string[];
}

type Placed = NamedLeaf & { readonly index: number };

/** @param onDifference called for additions and removals only after moves are ruled out */
export const compareLeaves = (
  stored: AsyncIterator<NamedLeaf>,
  onDifference: (difference: LeafDifference) => void,
): LeafComparison => {
  let logLeaves: Placed[] = [];
  let treeLeaves: Placed[] = [];
  let logSize = 0;
  let treeSize = 0;
  let isTreeAtEnd = false;
  /** Names that are pending in only one of the lists: 1 for the log, -1 for the tree. */
  const unmatched = new Map<string, number>();
  const added = new Map<string, Placed>();
  const gone = new Map<string, Placed>();

  const readTreeLeaf = async (): Promise<void> => {
    const next = await stored.next();
    if (next.done === true) isTreeAtEnd = true;
    else {
      treeLeaves.push({ ...next.value, index: treeSize });
      countName(next.value.event, -1);
      treeSize += 1;
    }
  };
  const countName = (event: string, by: 1 | -1): void => {
    const now = (unmatched.get(event) ?? 0) + by;
    if (now === 0) unmatched.delete(event);
    else unmatched.set(event, now);
  };
  const compareHashes = (leaf: Placed, treeLeaf: Placed): void => {
    if (!isSame(leaf.hash, treeLeaf.hash))
      onDifference({ kind: 'changed', event: treeLeaf.event, index: treeLeaf.index });
  };
  const reportMove = (leaf: Placed, treeLeaf: Placed): void => {
    onDifference({ kind: 'moved', event: treeLeaf.event, index: treeLeaf.index });
    compareHashes(leaf, treeLeaf);
  };
  const rememberAdded = (leaf: Placed): void => {
    const treeLeaf = gone.get(leaf.event);
    if (treeLeaf !== undefined) reportMove(leaf, treeLeaf);
    else if (added.size < MAX_REMEMBERED) added.set(leaf.event, leaf);
    gone.delete(leaf.event);
  };
  const rememberGone = (treeLeaf: Placed): void => {
    const leaf = added.get(treeLeaf.event);
    if (leaf !== undefined) reportMove(leaf, treeLeaf);
    else if (gone.size < MAX_REMEMBERED) gone.set(treeLeaf.event, treeLeaf);
    added.delete(treeLeaf.event);
  };

  /** Called if both lists contain the same events, so only their order can differ. */
  const compareOrder = (): void => {
    const places = new Map(treeLeaves.map((treeLeaf) => [treeLeaf.event, treeLeaf]));
    for (const [at, leaf] of logLeaves.entries()) {
      const treeLeaf = places.get(leaf.event);
      if (treeLeaf === undefined) continue;
      if (treeLeaves[at] === treeLeaf) compareHashes(leaf, treeLeaf);
      else reportMove(leaf, treeLeaf);
    }
    logLeaves = [];
    treeLeaves = [];
  };

  const align = (): void => {
    const inLog = new Map(logLeaves.map((leaf) => [leaf.event, leaf]));
    const inTree = new Map(treeLeaves.map((treeLeaf) => [treeLeaf.event, treeLeaf]));
    const movedNames = new Set<string>();
    let [at, treeAt] = [0, 0];
    while (at < logLeaves.length && treeAt < treeLeaves.length) {
      const [leaf, treeLeaf] = [logLeaves[at], treeLeaves[treeAt]];
      if (leaf === undefined || treeLeaf === undefined) break;
      const elsewhere = inTree.get(leaf.event);
      if (movedNames.has(treeLeaf.event)) treeAt += 1;
      else if (leaf.event === treeLeaf.event) {
        compareHashes(leaf, treeLeaf);
        at += 1;
        treeAt += 1;
      } else if (elsewhere === undefined) {
        rememberAdded(leaf);
        at += 1;
      } else if (!inLog.has(treeLeaf.event)) {
        rememberGone(treeLeaf);
        treeAt += 1;
      } else {
        reportMove(leaf, elsewhere);
        movedNames.add(leaf.event);
        at += 1;
      }
    }
    logLeaves = logLeaves.slice(at);
    treeLeaves = treeLeaves.slice(treeAt).filter(({ event }) => !movedNames.has(event));
    unmatched.clear();
    for (const { event } of logLeaves) countName(event, 1);
    for (const { event } of treeLeaves) countName(event, -1);
  };

  return {
    async add(leaf) {
      if (isTreeAtEnd && treeLeaves.length === 0) {
        // Events past the end of the tree were appended after the tree was read.
        logLeaves = [];
        logSize += 1;
        return;
      }
      logLeaves.push({ ...leaf, index: logSize });
      countName(leaf.event, 1);
      logSize += 1;
      while (treeLeaves.length < logLeaves.length && !isTreeAtEnd) await readTreeLeaf();
      if (unmatched.size === 0) compareOrder();
      else if (logLeaves.length >= WINDOW) align();
    },
    async end(limit) {
      while (treeLeaves.length < WINDOW && !isTreeAtEnd) await readTreeLeaf();
      align();
      const missing: string[] = [];
      let from: number | null = null;
      let missingCount = 0;
      for (;;) {
        for (const treeLeaf of treeLeaves)
          if (added.has(treeLeaf.event)) rememberGone(treeLeaf);
          else {
            from ??= treeLeaf.index;
            missingCount += 1;
            if (missing.length < limit) missing.push(treeLeaf.event);
          }
        treeLeaves = [];
        unmatched.clear();
        if (isTreeAtEnd) break;
        await readTreeLeaf();
      }
      // Events past the end of the tree were appended after the tree was read.
      for (const { event, index } of added.values())
        if (index < treeSize) onDifference({ kind: 'added', event, index });
      for (const { event, index } of gone.values()) onDifference({ kind: 'gone', event, index });
      return { from: from ?? treeSize, count: missingCount, events: missing };
    },
  };
};
