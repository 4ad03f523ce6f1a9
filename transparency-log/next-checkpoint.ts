import type { LogTree } from './log-tree.ts';
import { isSame, type TreeHead } from './merkle-tree.ts';
import { hashOfRange } from './tiles.ts';

/** What there is to sign after the last checkpoint. */
export type NextCheckpoint =
  | { readonly kind: 'sign'; readonly head: TreeHead }
  | { readonly kind: 'nothing-new' }
  /** The tree does not extend what was signed: it ends before it, or has other events below it. */
  | { readonly kind: 'refused'; readonly why: 'shorter' | 'rewritten' };

/**
 * Decides on the next checkpoint of a log: no size is ever signed with two roots, and none that does not
 * extend the one before.
 * @param last signed before; null: none was
 * @see C2SP tlog-checkpoint
 */
export const nextCheckpoint = async (
  last: TreeHead | null,
  { size, root, readTile }: LogTree,
): Promise<NextCheckpoint> => {
  if (size < (last?.size ?? 0)) return { kind: 'refused', why: 'shorter' };
  if (last !== null && !isSame(await hashOfRange({ from: 0, to: last.size }, readTile), last.root))
    return { kind: 'refused', why: 'rewritten' };
  return size === (last?.size ?? 0)
    ? { kind: 'nothing-new' }
    : { kind: 'sign', head: { size, root } };
};
