import { sql } from 'kysely';
import type { NamedLeaf } from '../../transparency-log/compare-leaves.ts';
import {
  formatLeafName,
  type LeafPlace,
  type LogTree,
  LogTreeIncomplete,
  omitIncomplete,
  type StoredTree,
} from '../../transparency-log/log-tree.ts';
import { HASH_LENGTH } from '../../transparency-log/merkle-tree.ts';
import { hashRange, type ReadTile, TILE_WIDTH, type Tile } from '../../transparency-log/tiles.ts';
import type { Db } from '../postgres/connection/database.ts';
import { buildSizeQuery } from '../postgres/projector/merkle-frontier.ts';
import { loadCheckpoint } from '../postgres/projector/read-schema.ts';

/** @param db a transaction if several reads must agree @throws LogTreeIncomplete */
export const loadTree = async (db: Db): Promise<LogTree> => {
  const readTile = createTileReader(db);
  const size = await loadTreeSize(db);
  return { size, root: await hashRange({ from: 0, to: size }, readTile), readTile };
};

const loadTreeSize = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ size: string }>`select ${buildSizeQuery('read')} as size`.execute(
    db,
  );
  return Number(rows[0]?.size);
};

/** Reads tiles of the tree. A tile never changes, so it can be read at any later time. */
export const createTileReader =
  (db: Db): ReadTile =>
  async (tile) => {
    const hashes = tile.level === 0 ? await loadLeaves(db, tile) : await loadRootsBelow(db, tile);
    if (hashes.length !== tile.width)
      throw new LogTreeIncomplete(
        'The tree of the log lacks a tile. Wait until the read tables have caught up, or run `rebuild`.',
      );
    return hashes;
  };

/** Roots of the tiles below, which are the hashes of a tile above level 0. */
const loadRootsBelow = async (
  db: Db,
  { level, index, width }: Tile,
): Promise<readonly Buffer[]> => {
  const first = index * TILE_WIDTH;
  const rows = await db
    .selectFrom('read.log_tile')
    .select('root')
    .where('level', '=', level - 1)
    .where('tile_index', '>=', `${first}`)
    .where('tile_index', '<', `${first + width}`)
    .orderBy('tile_index')
    .execute();
  return rows.map(({ root }) => root);
};

const loadLeaves = async (db: Db, { index, width }: Tile): Promise<readonly Buffer[]> => {
  const { hashes } = await loadTile(db, index);
  const count = Math.min(width, hashes.length / HASH_LENGTH);
  return Array.from({ length: count }, (_, at) => getHash(hashes, at));
};

const getHash = (hashes: Buffer, at: number): Buffer =>
  hashes.subarray(at * HASH_LENGTH, (at + 1) * HASH_LENGTH);

const loadTile = async (
  db: Db,
  index: number,
): Promise<{ readonly hashes: Buffer; readonly events: readonly string[] }> => {
  // One statement for one snapshot, because the projector may fold leaves into tiles at any time.
  const { rows } = await sql<{ hashes: Buffer; events: string }>`
    select hashes, events from read.log_tile where level = 0 and tile_index = ${index}
    union all
    select string_agg(hash, ''::bytea order by leaf_index),
      string_agg(event, E'\\n' order by leaf_index)
    from read.log_leaf where leaf_index >= ${index * TILE_WIDTH} and leaf_index < ${(index + 1) * TILE_WIDTH}
    having count(*) > 0`.execute(db);
  const row = rows[0];
  return row === undefined
    ? { hashes: Buffer.alloc(0), events: [] }
    : { hashes: row.hashes, events: row.events.split('\n') };
};

export interface RequestedLeaf extends LeafPlace {
  readonly position: bigint;
}

/** From 0, in the order requested; `null` if the tree does not contain the event yet. */
export const createFindLeafIndexes =
  (db: Db) =>
  async (leaves: readonly RequestedLeaf[]): Promise<readonly (number | null)[]> => {
    if (leaves.length === 0) return [];
    const { rows } = await sql<{ leaf_index: string | null }>`
    with tail as materialized (
      select coalesce(max(tile_index) + 1, 0) * ${TILE_WIDTH} as first
      from read.log_tile where level = 0
    )
    select coalesce(
      (select leaf_index from read.log_leaf where log_leaf.event = asked.event
        and leaf_index between (select first from tail)
          and (select first + ${TILE_WIDTH - 1} from tail)),
      (select tile_index * ${TILE_WIDTH}
          + array_position(string_to_array(events, E'\\n'), asked.event) - 1
        from (
          select tile_index, events from read.log_tile
          where level = 0 and last_position >= asked.position
          order by last_position limit 1
        ) tile)) as leaf_index
    from unnest(${leaves.map(({ position }) => position.toString())}::bigint[],
      ${leaves.map(formatLeafName)}::text[]) with ordinality as asked(position, event, place)
    order by place`.execute(db);
    return rows.map(({ leaf_index }) => (leaf_index === null ? null : Number(leaf_index)));
  };

/** Up to the first damaged tile: after it, leaves cannot be matched to events. */
async function* streamNamedLeaves(db: Db, size: number): AsyncGenerator<NamedLeaf> {
  for (let index = 0; index * TILE_WIDTH < size; index += 1) {
    const tile = await loadTile(db, index);
    const width = Math.min(TILE_WIDTH, size - index * TILE_WIDTH);
    if (tile.events.length < width || tile.hashes.length !== tile.events.length * HASH_LENGTH)
      return;
    for (const [at, event] of tile.events.slice(0, width).entries())
      yield { event, hash: getHash(tile.hashes, at) };
  }
}

/** Current tree with its leaves. `null` if the read tables are missing or of another version. */
export const loadStoredTree = async (db: Db): Promise<StoredTree | null> => {
  const checkpoint = await loadCheckpoint(db);
  if (checkpoint?.tables !== 'same') return null;
  const size = await loadTreeSize(db);
  const root = await omitIncomplete(hashRange({ from: 0, to: size }, createTileReader(db)));
  return { size, root, leaves: () => streamNamedLeaves(db, size) };
};
