import type { Projection, ReadTable } from '../projection.ts';

/** Row of `read.log_leaf`: a leaf of the Merkle tree that is not part of a full tile yet. */
export interface LogLeafRow {
  /** Zero-based, without gaps. */
  readonly leaf_index: string;
  /** Log position of its event. */
  readonly position: string;
  /** Stream and revision of its event, separated by a space. */
  readonly event: string;
  readonly hash: Buffer;
}

/** Row of `read.log_tile`: a full tile of the Merkle tree. @see C2SP tlog-tiles */
export interface LogTileRow {
  readonly level: number;
  readonly tile_index: string;
  /** Root over its hashes: one hash of the tile above. */
  readonly root: Buffer;
  /** 256 hashes of 32 bytes at level 0; null above, where they are the roots of the tiles below. */
  readonly hashes: Buffer | null;
  /** Its events at level 0, one per line, in the format of `LogLeafRow.event`. */
  readonly events: string | null;
  /** Log position of the last event below it. */
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
  withoutStatistics: ['root', 'hashes', 'events'],
};

/**
 * Merkle tree of the log. Every event is a leaf, including parked ones and unknown types, so no handler
 * adds leaves: the projector adds them with each batch.
 */
export const logTree = {
  name: 'log_tree',
  version: 1,
  tables: [logLeaf, logTile],
  on: {},
} satisfies Pick<Projection, 'name' | 'version' | 'tables'> & { on: object };
