import type { NamedLeaf } from './compare-leaves.ts';
import { EMPTY_ROOT, hashNode, type TreeHead } from './merkle-tree.ts';
import type { ReadTile } from './tiles.ts';

/** The tree of the log as it stands at one moment. */
export interface LogTree extends TreeHead {
  readonly readTile: ReadTile;
}

/** The tree does not hold a tile that it should have: it is being filled, or was damaged. */
export class LogTreeIncomplete extends Error {
  override readonly name = 'LogTreeIncomplete';
}

/** What was read of the tree; null where it does not hold all that was asked for. */
export const omitIncomplete = async <T>(reading: Promise<T>): Promise<T | null> => {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof LogTreeIncomplete) return null;
    throw error;
  }
};

/** The tree as it was kept. */
export interface StoredTree {
  readonly size: number;
  /** Null: tiles are missing. */
  readonly root: Uint8Array | null;
  /** As many as its size, unless tiles are damaged. */
  leaves(): AsyncIterable<NamedLeaf>;
}

/** Names an event of the log for good. */
export interface LeafPlace {
  readonly stream: string;
  /** From 0. */
  readonly revision: bigint;
}

/** By what name the tree's tables know an event. */
export const formatLeafName = ({ stream, revision }: LeafPlace): string => `${stream} ${revision}`;

const LEAF_NAME = /^(.*) (\d+)$/s;

/** The event that such a name names. One that was tampered with is taken for the name of a stream. */
export const parseLeafPlace = (name: string): LeafPlace => {
  const [, stream = name, revision = '0'] = LEAF_NAME.exec(name) ?? [];
  return { stream, revision: BigInt(revision) };
};

/** A tree of which only its right edge is kept: enough to add leaves and to tell its root. */
export interface CompactRange {
  add(leaf: Uint8Array): void;
  size(): number;
  root(): Uint8Array;
}

/** An empty tree that grows leaf by leaf, in as many hashes as it has levels. @see RFC 6962 section 2.1 */
export const createCompactRange = (): CompactRange => {
  // Roots of the full subtrees from left to right, each with the leaves below it.
  const edge: { readonly leaves: number; readonly root: Uint8Array }[] = [];
  let size = 0;
  return {
    add(leaf) {
      let added = { leaves: 1, root: leaf };
      for (let left = edge.at(-1); left?.leaves === added.leaves; left = edge.at(-1)) {
        edge.pop();
        added = { leaves: 2 * added.leaves, root: hashNode(left.root, added.root) };
      }
      edge.push(added);
      size += 1;
    },
    size: () => size,
    root: () =>
      edge.length === 0
        ? EMPTY_ROOT
        : edge.map(({ root }) => root).reduceRight((right, left) => hashNode(left, right)),
  };
};
