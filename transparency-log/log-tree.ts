import type { NamedLeaf } from './compare-leaves.ts';
import type { TreeHead } from './merkle-tree.ts';
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
export const unlessIncomplete = async <T>(reading: Promise<T>): Promise<T | null> => {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof LogTreeIncomplete) return null;
    throw error;
  }
};

/** The tree as it was kept. */
export interface KeptTree {
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
export const leafName = ({ stream, revision }: LeafPlace): string => `${stream} ${revision}`;

const LEAF_NAME = /^(.*) (\d+)$/s;

/** The event that such a name names. One that was tampered with is taken for the name of a stream. */
export const parseLeafPlace = (name: string): LeafPlace => {
  const [, stream = name, revision = '0'] = LEAF_NAME.exec(name) ?? [];
  return { stream, revision: BigInt(revision) };
};
