import type { TreeHead } from './merkle-tree.ts';
import type { ReadTile } from './tiles.ts';

/** The tree of the log as it stands at one moment. */
export interface LogTree extends TreeHead {
  readonly readTile: ReadTile;
}

/** Names an event of the log for good. */
export interface LeafPlace {
  readonly stream: string;
  /** From 0. */
  readonly revision: bigint;
}

/** By what name the tree's tables know an event: a stream has no space in its name. */
export const leafName = ({ stream, revision }: LeafPlace): string => `${stream} ${revision}`;

/** The event that such a name names. */
export const leafPlaceOf = (name: string): LeafPlace => {
  const [stream = '', revision = '0'] = name.split(' ');
  return { stream, revision: BigInt(revision) };
};
