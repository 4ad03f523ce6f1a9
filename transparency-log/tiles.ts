import { computeRoot, type LeafRange } from './merkle-tree.ts';

export const TILE_WIDTH = 256;

/** Adjacent hashes of one level: leaves at level 0, roots of full tiles above. */
export interface Tile {
  readonly level: number;
  /** Zero-based index in full tiles. */
  readonly index: number;
  /** Number of hashes: 256, or fewer at the right edge of the tree. */
  readonly width: number;
}

const MAX_LEVELS = 7;
const GROUP = 1_000;
const GROUP_DIGITS = 3;

/** Formats the path below the prefix of the log: `tile/0/x001/067.p/12`. @see C2SP tlog-tiles */
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

/** Returns `null` if the path is not that of a tile. Each tile has exactly one path. */
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

/** Number of leaves below one hash of a level. */
export const countLeavesBelow = (level: number): number => TILE_WIDTH ** level;

/** True if a tree of this size has the tile. Partial tiles of smaller trees count. */
export const hasTile = ({ level, index, width }: Tile, size: number): boolean =>
  width > 0 && index * TILE_WIDTH + width <= Math.floor(size / countLeavesBelow(level));

/** Reads the hashes of a tile. @throws LogTreeIncomplete if the log does not have it */
export type ReadTile = (tile: Tile) => Promise<readonly Uint8Array[]>;

/** Caches tiles: the paths of one proof, and of adjacent leaves, share most of them. */
export const readOnce = (readTile: ReadTile): ReadTile => {
  const read = new Map<string, ReturnType<ReadTile>>();
  return (tile) => {
    const path = formatTilePath(tile);
    const hashes = read.get(path) ?? readTile(tile);
    read.set(path, hashes);
    return hashes;
  };
};

/** Computes the hash over some leaves of a tree from its tiles. @see listInclusionRanges @see listConsistencyRanges */
export const hashRange = async (
  { from, to }: LeafRange,
  readTile: ReadTile,
): Promise<Uint8Array> => {
  let level = 0;
  const leaves = to - from;
  while (countLeavesBelow(level + 1) <= leaves && from % countLeavesBelow(level + 1) === 0)
    level += 1;
  // Full subtrees first, each as tall as possible; the rest is the right edge.
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
  // The rest is not a full subtree, so it is the last node of the level.
  return computeRoot(
    rest === to ? hashes : [...hashes, await hashRange({ from: rest, to }, readTile)],
  );
};
