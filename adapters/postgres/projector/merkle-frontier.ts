import { sql } from 'kysely';
import type { Row } from '../../../projections/projection.ts';
import {
  type LogLeafRow,
  type LogTileRow,
  logLeaf,
  logTile,
} from '../../../projections/tables/log-tree.ts';
import { computeRoot } from '../../../transparency-log/merkle-tree.ts';
import { TILE_WIDTH } from '../../../transparency-log/tiles.ts';
import type { ScriptStatement } from '../../private-parts/postgres-driver/scripts.ts';
import type { Db } from '../connection/database.ts';
import { copyRows } from './apply-changes.ts';

/** An event as the tree of the log holds it. */
export interface Leaf {
  /** Place of the event in the log. */
  readonly position: bigint;
  /** By {@link formatLeafName}. */
  readonly event: string;
  readonly hash: Uint8Array;
}

/** The right edge of a tree: what has to be known of it to add to it. */
export interface MerkleFrontier {
  /** Leaves of the tree. */
  readonly size: number;
  /** Those that no full tile holds. */
  readonly tail: readonly Leaf[];
  /** Of each level the roots of the full tiles that no full tile above holds. */
  readonly roots: readonly (readonly Uint8Array[])[];
}

/** That of a tree without leaves. */
export const EMPTY_FRONTIER: MerkleFrontier = { size: 0, tail: [], roots: [] };

/** The edge of the tree of a schema. */
export const loadMerkleFrontier = async (db: Db, schema: string): Promise<MerkleFrontier> => {
  const { rows: leaves } = await sql<LogLeafRow>`
    select leaf_index, position, event, hash from ${sql.id(schema, 'log_leaf')}
    order by leaf_index`.execute(db);
  const tile = sql.id(schema, 'log_tile');
  const { rows: tiles } = await sql<Pick<LogTileRow, 'level' | 'root'>>`
    select tile.level, tile.root
    from (select level, max(tile_index) + 1 as tiles from ${tile} group by level) held
    join ${tile} tile on tile.level = held.level
      and tile.tile_index >= held.tiles / ${TILE_WIDTH} * ${TILE_WIDTH}
    order by tile.level, tile.tile_index`.execute(db);
  const { rows: sized } = await sql<{
    size: string;
  }>`select ${buildSizeQuery(schema)} as size`.execute(db);
  const roots: Uint8Array[][] = [];
  for (const { level, root } of tiles) rootsAt(roots, level).push(root);
  return {
    size: Number(sized[0]?.size),
    tail: leaves.map(({ position, event, hash }) => ({ position: BigInt(position), event, hash })),
    roots,
  };
};

/** Leaves of the tree of a schema. */
export const buildSizeQuery = (schema: string) => sql<string>`coalesce(
  (select max(leaf_index) + 1 from ${sql.id(schema, 'log_leaf')}),
  (select (max(tile_index) + 1) * ${TILE_WIDTH} from ${sql.id(schema, 'log_tile')} where level = 0),
  0)`;

/** A tree that has grown. */
export interface GrownTree {
  readonly frontier: MerkleFrontier;
  /** What makes the tables of its schema follow. */
  readonly statements: readonly ScriptStatement[];
}

/**
 * Adds leaves to the tree of a schema. What lies there then follows from the leaves alone, whatever batches
 * they came in: full tiles, and one by one what no full tile holds.
 * @param frontier of the tree as it is in the schema
 */
export const appendLeaves = (
  schema: string,
  frontier: MerkleFrontier,
  added: readonly Leaf[],
): GrownTree => {
  const leaves = [...frontier.tail, ...added];
  const first = frontier.size - frontier.tail.length;
  const roots = frontier.roots.map((ofLevel) => [...ofLevel]);
  const tiles: Row[] = [];
  let folded = 0;
  for (; leaves.length - folded >= TILE_WIDTH; folded += TILE_WIDTH) {
    const index = (first + folded) / TILE_WIDTH;
    tiles.push(...fullTiles(roots, index, leaves.slice(folded, folded + TILE_WIDTH)));
  }
  const tail = leaves.slice(folded);
  const fresh = folded === 0 ? added : tail;
  const from = frontier.size + added.length - fresh.length;
  return {
    frontier: { size: frontier.size + added.length, tail, roots },
    statements: [
      ...(folded === 0
        ? []
        : [
            // By its key: without it, all that was deleted since the last vacuum is read each time.
            {
              text: `delete from "${schema}"."log_leaf" where leaf_index between ${first} and ${frontier.size - 1}`,
            },
            copyRows(schema, logTile, tiles),
          ]),
      ...(fresh.length === 0 ? [] : [copyRows(schema, logLeaf, leafRows(fresh, from))]),
    ],
  };
};

const leafRows = (leaves: readonly Leaf[], from: number): readonly Row[] =>
  leaves.map(({ position, event, hash }, at) => ({
    leaf_index: from + at,
    position: position.toString(),
    event,
    hash: bytea(hash),
  }));

/** A tile of leaves, and those above it that are full with it: their hashes are the roots below, and need no second place. */
const fullTiles = (
  roots: Uint8Array[][],
  index: number,
  leaves: readonly Leaf[],
): readonly Row[] => {
  const hashes = leaves.map(({ hash }) => hash);
  const last_position = leaves.at(-1)?.position.toString();
  const root = computeRoot(hashes);
  const tiles: Row[] = [
    {
      level: 0,
      tile_index: index,
      root: bytea(root),
      hashes: bytea(Buffer.concat(hashes)),
      events: leaves.map(({ event }) => event).join('\n'),
      last_position,
    },
  ];
  rootsAt(roots, 0).push(root);
  let above = index;
  for (let level = 1; rootsAt(roots, level - 1).length === TILE_WIDTH; level += 1) {
    const full = computeRoot(rootsAt(roots, level - 1).splice(0));
    above = Math.floor(above / TILE_WIDTH);
    tiles.push({ level, tile_index: above, root: bytea(full), last_position });
    rootsAt(roots, level).push(full);
  }
  return tiles;
};

const rootsAt = (roots: Uint8Array[][], level: number): Uint8Array[] => {
  const held = roots[level];
  if (held !== undefined) return held;
  const none: Uint8Array[] = [];
  roots[level] = none;
  return none;
};

/** As Postgres reads bytes from a text. */
const bytea = (bytes: Uint8Array): string =>
  `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
