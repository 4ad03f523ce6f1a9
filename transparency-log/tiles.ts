import { computeRoot, type LeafRange } from './merkle-tree.ts';

/** Hashes in a full tile. */
export const TILE_WIDTH = 256;

/** Some neighboring hashes of one level: leaves at level 0, above it the roots of full tiles below. */
export interface Tile {
  readonly level: number;
  /** From 0, in full tiles. */
  readonly index: number;
  /** Hashes in it: 256, or fewer at the end of the tree. */
  readonly width: number;
}

const MAX_LEVELS = 7;
const GROUP = 1_000;
const GROUP_DIGITS = 3;

/** The path of a tile, below the prefix of the log: `tile/0/x001/067.p/12`. @see C2SP tlog-tiles */
export const formatTilePath = ({ level, index, width }: Tile): string => {
  const groups: string[] = [];
  for (let left = index; ; left = Math.floor(left / GROUP)) {
    groups.unshift(String(left % GROUP).padStart(GROUP_DIGITS, '0'));
    if (left < GROUP) break;
  }
  const last = groups.pop() ?? '';
  const path = [...groups.map((group) => `x${group}`), last].join('/');
  return `tile/${level}/${path}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
};

const PATH = /^tile\/(0|[1-9]\d?)\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** The tile that a path names; null: it names none. Each tile has one path. */
export const parseTilePath = (path: string): Tile | null => {
  const [, level = '', groups = '', partial] = PATH.exec(path) ?? [];
  if (groups === '') return null;
  const tile: Tile = {
    level: Number(level),
    index: Number(groups.replaceAll(/[x/]/g, '')),
    width: partial === undefined ? TILE_WIDTH : Number(partial),
  };
  const isOne =
    tile.width <= TILE_WIDTH &&
    tile.level < MAX_LEVELS &&
    Number.isSafeInteger(tile.index) &&
    formatTilePath(tile) === path;
  return isOne ? tile : null;
};

/** Leaves below one hash of a level. */
export const countLeavesBelow = (level: number): number => TILE_WIDTH ** level;

/** Whether a tree of a size has a tile: a full one, or one that was the last when it was smaller. */
export const hasTile = ({ level, index, width }: Tile, size: number): boolean =>
  width > 0 && index * TILE_WIDTH + width <= Math.floor(size / countLeavesBelow(level));

/** The hashes of a tile. @throws LogTreeIncomplete if the log does not have it */
export type ReadTile = (tile: Tile) => Promise<readonly Uint8Array[]>;

/** Reads each tile once: the paths of one proof, and those of neighbors, share most of theirs. */
export const readOnce = (readTile: ReadTile): ReadTile => {
  const read = new Map<string, ReturnType<ReadTile>>();
  return (tile) => {
    const path = formatTilePath(tile);
    const hashes = read.get(path) ?? readTile(tile);
    read.set(path, hashes);
    return hashes;
  };
};

/** The hash over some leaves of a tree, from its tiles. @see listInclusionRanges @see listConsistencyRanges */
export const hashRange = async (
  { from, to }: LeafRange,
  readTile: ReadTile,
): Promise<Uint8Array> => {
  let level = 0;
  const leaves = to - from;
  while (countLeavesBelow(level + 1) <= leaves && from % countLeavesBelow(level + 1) === 0)
    level += 1;
  // Full subtrees first, each as high as it can be; what is left hangs at the right.
  const unit = countLeavesBelow(level);
  const full = Math.floor(leaves / unit);
  const first = from / unit;
  const hashes: Uint8Array[] = [];
  while (hashes.length < full) {
    const at = first + hashes.length;
    const index = Math.floor(at / TILE_WIDTH);
    const skip = at % TILE_WIDTH;
    const width = Math.min(TILE_WIDTH, skip + full - hashes.length);
    hashes.push(...(await readTile({ level, index, width })).slice(skip));
  }
  const rest = from + full * unit;
  // It is no full subtree, so it stands alone at the end of the level.
  return computeRoot(
    rest === to ? hashes : [...hashes, await hashRange({ from: rest, to }, readTile)],
  );
};
