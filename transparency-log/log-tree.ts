import type { NamedLeaf } from './compare-leaves.ts';
import { EMPTY_ROOT, hashNode, type TreeHead } from './merkle-tree.ts';
import type { ReadTile } from './tiles.ts';

export interface LogTree extends TreeHead {
  readonly readTile: ReadTile;
}

/** Thrown if the tree lacks a tile, because it is still being built or was damaged. */
export class LogTreeIncomplete extends Error {
  override readonly name = 'LogTreeIncomplete';
}

/** Returns `null` if the tree lacks some of the tiles that were read. */
export const omitIncomplete = async <T>(reading: Promise<T>): Promise<T | null> => {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof LogTreeIncomplete) return null;
    throw error;
  }
};

export interface StoredTree {
  readonly size: number;
  /** Null if tiles are missing. */
  readonly root: Uint8Array | null;
  /** Yields `size` leaves, or fewer if tiles are damaged. */
  leaves(): AsyncIterable<NamedLeaf>;
}

export interface LeafPlace {
  readonly stream: string;
  /** Zero-based. */
  readonly revision: bigint;
}

/** Replaces characters of other programs that separate names there, or that Postgres does not store. */
export const formatLeafName = ({ stream, revision }: LeafPlace): string =>
  `${stream.replace(SEPARATORS, '\ufffd')} ${revision}`;

const SEPARATORS = /[\0\n]/g;

const LEAF_NAME = /^(.*) (\d+)$/s;

/** Parses the name of an event. Treats a malformed name as the name of a stream. */
export const parseLeafPlace = (name: string): LeafPlace => {
  const [, stream = name, revision = '0'] = LEAF_NAME.exec(name) ?? [];
  return { stream, revision: BigInt(revision) };
};

/** Tree that stores only its right edge, which is enough to add leaves and to compute the root. */
export interface CompactRange {
  add(leaf: Uint8Array): void;
  size(): number;
  root(): Uint8Array;
}

/** Creates an empty tree. It stores at most one hash per level. @see RFC 6962 section 2.1 */
export const createCompactRange = (): CompactRange => {
  // Roots of the full subtrees from left to right, each with its number of leaves.
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
