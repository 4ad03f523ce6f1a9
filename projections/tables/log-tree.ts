import { column, defineTable, type Projection } from '../projection.ts';

export const logLeaf = defineTable({
  name: 'log_leaf',
  columns: {
    /** Zero-based, without gaps. */
    leaf_index: column.bigint(),
    /** Log position of its event. */
    position: column.bigint(),
    /** Stream and revision of its event, separated by a space. */
    event: column.text(),
    hash: column.bytea(),
  },
  key: ['leaf_index'],
  indexes: [],
});

/** A full tile of the Merkle tree. @see C2SP tlog-tiles */
export const logTile = defineTable({
  name: 'log_tile',
  columns: {
    level: column.smallint(),
    tile_index: column.bigint(),
    /** Root over its hashes: one hash of the tile above. */
    root: column.bytea(),
    /** 256 hashes of 32 bytes at level 0; null above, where they are the roots of the tiles below. */
    hashes: column.byteaOrNull(),
    /** Its events at level 0, one per line, in the format of `event` of a leaf. */
    events: column.textOrNull(),
    /** Log position of the last event below it. */
    last_position: column.bigint(),
  },
  key: ['level', 'tile_index'],
  indexes: ['(last_position) where level = 0'],
  withoutStatistics: ['root', 'hashes', 'events'],
});

/** Every event is a leaf, even parked and unknown ones, so the projector adds them, no handler. */
export const logTree = {
  name: 'log_tree',
  version: 1,
  tables: [logLeaf, logTile],
  on: {},
} satisfies Pick<Projection, 'name' | 'version' | 'tables'> & { on: object };
