import { createHash } from 'node:crypto';

export const HASH_LENGTH = 32;

const NODE = Uint8Array.of(1);

/** SHA-256 of the byte 0x01 and both children. @see RFC 6962 section 2.1 */
export const hashNode = (left: Uint8Array, right: Uint8Array): Buffer =>
  createHash('sha256').update(NODE).update(left).update(right).digest();

export const EMPTY_ROOT: Uint8Array = createHash('sha256').digest();

/** Computes the root over the hashes of adjacent leaves, or of adjacent subtrees of equal height. */
export const computeRoot = (hashes: readonly Uint8Array[]): Uint8Array => {
  if (hashes.length === 0) return EMPTY_ROOT;
  let level = hashes;
  while (level.length > 1) {
    const above: Uint8Array[] = [];
    for (let n = 0; n < level.length; n += 2) {
      const [left, right] = [level[n], level[n + 1]];
      if (left !== undefined) above.push(right === undefined ? left : hashNode(left, right));
    }
    level = above;
  }
  return level[0] ?? EMPTY_ROOT;
};

/** Adjacent leaves under one node of the tree: `from` inclusive, `to` exclusive. */
export interface LeafRange {
  readonly from: number;
  readonly to: number;
}

/** Returns the largest power of two below `size`, which must be at least 2. */
const findSplit = (size: number): number => {
  let split = 1;
  while (2 * split < size) split *= 2;
  return split;
};

/** From the leaf's sibling upward. @param index zero-based, below `size` @see RFC 6962 section 2.1.1 */
export const listInclusionRanges = (index: number, size: number): readonly LeafRange[] => {
  const ranges: LeafRange[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    const middle = from + findSplit(to - from);
    if (index < middle) {
      ranges.push({ from: middle, to });
      to = middle;
    } else {
      ranges.push({ from, to: middle });
      from = middle;
    }
  }
  return ranges.toReversed();
};

/** @param old size of the earlier tree, from 1 to `size` @see RFC 6962 section 2.1.2 */
export const listConsistencyRanges = (old: number, size: number): readonly LeafRange[] => {
  const ranges: LeafRange[] = [];
  let [from, to] = [0, size];
  while (old < to) {
    const middle = from + findSplit(to - from);
    if (old <= middle) {
      ranges.push({ from: middle, to });
      to = middle;
    } else {
      ranges.push({ from, to: middle });
      from = middle;
    }
  }
  // Omits the earlier tree itself, because the verifier has its root.
  if (from > 0) ranges.push({ from, to });
  return ranges.toReversed();
};

/** `null` if the proof has the wrong length. @see RFC 9162 section 2.1.3.2 */
export const computeRootFromInclusion = (
  leaf: Uint8Array,
  index: number,
  size: number,
  path: readonly Uint8Array[],
): Uint8Array | null => {
  if (!isWhole(index) || !isWhole(size) || index >= size) return null;
  let [first, last] = [index, size - 1];
  let root = leaf;
  for (const hash of path) {
    if (last === 0) return null;
    if (first % 2 === 1 || first === last) {
      root = hashNode(hash, root);
      while (first % 2 === 0 && first !== 0) [first, last] = [halve(first), halve(last)];
    } else root = hashNode(root, hash);
    [first, last] = [halve(first), halve(last)];
  }
  return last === 0 ? root : null;
};

export interface TreeHead {
  readonly size: number;
  readonly root: Uint8Array;
}

// No bit shift: in JavaScript it truncates to 32 bits.
const halve = (value: number): number => Math.floor(value / 2);

const isWhole = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

export const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);
