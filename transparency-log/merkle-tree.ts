import { createHash } from 'node:crypto';

/** Bytes of a hash. */
export const HASH_LENGTH = 32;

const NODE = Uint8Array.of(1);

/** The hash of a node: SHA-256 of a one byte and both its children. @see RFC 6962 section 2.1 */
export const hashNode = (left: Uint8Array, right: Uint8Array): Buffer =>
  createHash('sha256').update(NODE).update(left).update(right).digest();

/** The root of a tree without leaves. */
export const EMPTY_ROOT: Uint8Array = createHash('sha256').digest();

/** The root over the hashes of neighboring leaves, or of subtrees of one height. */
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

/** Neighboring leaves, from `from` up to before `to`, under one node of the tree. */
export interface LeafRange {
  readonly from: number;
  readonly to: number;
}

/** The largest power of two below a size of two at least. */
const findSplit = (size: number): number => {
  let split = 1;
  while (2 * split < size) split *= 2;
  return split;
};

/**
 * The subtrees whose hashes prove that a leaf is in a tree, from the leaf's sibling upward.
 * @param index from 0, below `size`
 * @see RFC 6962 section 2.1.1
 */
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

/**
 * The subtrees whose hashes prove that a tree extends an earlier one.
 * @param old size of the earlier tree, above 0 and not above `size`
 * @see RFC 6962 section 2.1.2
 */
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
  // The earlier tree itself is known to whoever has its root.
  if (from > 0) ranges.push({ from, to });
  return ranges.toReversed();
};

/**
 * The root that a leaf and its proof lead to; null: the proof is not of that shape.
 * @see RFC 9162 section 2.1.3.2
 */
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

/** A tree by what a checkpoint says of it. */
export interface TreeHead {
  readonly size: number;
  readonly root: Uint8Array;
}

/**
 * Whether a tree extends an earlier one, by the proof of it.
 * @see RFC 9162 section 2.1.4.2
 */
export const isExtension = (
  older: TreeHead,
  newer: TreeHead,
  path: readonly Uint8Array[],
): boolean => {
  if (older.size > newer.size) return false;
  if (older.size === newer.size) return path.length === 0 && isSame(older.root, newer.root);
  if (older.size === 0) return path.length === 0 && isSame(older.root, EMPTY_ROOT);
  let [first, last] = [older.size - 1, newer.size - 1];
  while (first % 2 === 1) [first, last] = [halve(first), halve(last)];
  const isPowerOfTwo = first === 0;
  const [start = older.root, ...rest] = isPowerOfTwo ? [older.root, ...path] : path;
  if (!isPowerOfTwo && path.length === 0) return false;
  let [olderRoot, newerRoot] = [start, start];
  for (const hash of rest) {
    if (last === 0) return false;
    if (first % 2 === 1 || first === last) {
      olderRoot = hashNode(hash, olderRoot);
      newerRoot = hashNode(hash, newerRoot);
      while (first % 2 === 0 && first !== 0) [first, last] = [halve(first), halve(last)];
    } else newerRoot = hashNode(newerRoot, hash);
    [first, last] = [halve(first), halve(last)];
  }
  return last === 0 && isSame(olderRoot, older.root) && isSame(newerRoot, newer.root);
};

// Not by bits: those of JavaScript end at 32.
const halve = (value: number): number => Math.floor(value / 2);

const isWhole = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

/** Whether two hashes are the same. */
export const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);
