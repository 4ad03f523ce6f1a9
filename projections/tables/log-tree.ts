import type { Projection, ReadTable } from '../projection.ts';

/** Row of `read.log_leaf`: a leaf of the tree of the log that no full tile holds yet. */
export interface LogLeafRow {
  /** From 0, without gaps. */
  readonly leaf_index: string;
  /** Place of its event in the log. */
  readonly position: string;
  /** Its event: stream, a space, revision. */
  readonly event: string;
  readonly hash: Buffer;
}

/** Row of `read.log_tile`: a full tile of the tree. @see C2SP tlog-tiles */
export interface LogTileRow {
  readonly level: number;
  readonly tile_index: string;
  /** The root over its hashes: one hash of the tile above it. */
  readonly root: Buffer;
  /** 256 hashes of 32 bytes, at level 0: above it they are the roots of the tiles below. */
  readonly hashes: Buffer | null;
  /** Its events, a line each, as a leaf names one; at level 0. */
  readonly events: string | null;
  /** Place of the last event below it. */
  readonly last_position: string;
}

/** @see LogLeafRow */
export const logLeaf: ReadTable = {
  name: 'log_leaf',
  columns: {
    leaf_index: 'bigint not null',
    position: 'bigint not null',
    event: 'text not null',
    hash: 'bytea not null',
  },
  key: ['leaf_index'],
  indexes: [],
};

/** @see LogTileRow */
export const logTile: ReadTable = {
  name: 'log_tile',
  columns: {
    level: 'smallint not null',
    tile_index: 'bigint not null',
    root: 'bytea not null',
    hashes: 'bytea',
    events: 'text',
    last_position: 'bigint not null',
  },
  key: ['level', 'tile_index'],
  indexes: ['(last_position) where level = 0'],
  unasked: ['root', 'hashes', 'events'],
};

/**
 * The tree of the log. Its leaves are the events themselves, whatever they say and whether or not they can be
 * applied, so no handler makes them: they are added with each batch.
 */
export const logTree = {
  name: 'log_tree',
  version: 1,
  tables: [logLeaf, logTile],
  on: {},
} satisfies Pick<Projection, 'name' | 'version' | 'tables'> & { on: object };
