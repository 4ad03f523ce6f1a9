import { sql } from 'kysely';
import type { Row } from '../../../projections/projection.ts';
import type { ReadRows } from '../../../projections/read-model.ts';
import { logLeaf, logTile } from '../../../projections/tables/log-tree.ts';
import { computeRoot } from '../../../transparency-log/merkle-tree.ts';
import { TILE_WIDTH } from '../../../transparency-log/tiles.ts';
import type { ScriptStatement } from '../../package-internals/postgres-driver/scripts.ts';
import type { Db } from '../connection/database.ts';
import { copyRows } from './apply-changes.ts';

/** An event as a leaf of the Merkle tree. */
export interface Leaf {
  readonly position: bigint;
  /** Name from {@link formatLeafName}. */
  readonly event: string;
  readonly hash: Uint8Array;
}

/** Right edge of a tree: all that is needed to append to it. */
export interface MerkleFrontier {
  readonly size: number;
  /** Leaves that are not in a full tile yet. */
  readonly tail: readonly Leaf[];
  /** By level, roots of the full tiles that are not in a full tile of the next level yet. */
  readonly roots: readonly (readonly Uint8Array[])[];
}

export const EMPTY_FRONTIER: MerkleFrontier = { size: 0, tail: [], roots: [] };

export const loadMerkleFrontier = async (db: Db, schema: string): Promise<MerkleFrontier> => {
  const { rows: leaves } = await sql<ReadRows['read.log_leaf']>`
    select leaf_index, position, event, hash from ${sql.id(schema, 'log_leaf')}
    order by leaf_index`.execute(db);
  const tile = sql.id(schema, 'log_tile');
  const { rows: tiles } = await sql<Pick<ReadRows['read.log_tile'], 'level' | 'root'>>`
    select tile.level, tile.root
    from (select level, max(tile_index) + 1 as tiles from ${tile} group by level) held
    join ${tile} tile on tile.level = held.level
      and tile.tile_index >= held.tiles / ${TILE_WIDTH} * ${TILE_WIDTH}
    order by tile.level, tile.tile_index`.execute(db);
  const { rows: sized } = await sql<{
    size: string;
  }>`select ${buildSizeQuery(schema)} as size`.execute(db);
  const roots: Uint8Array[][] = [];
  for (const { level, root } of tiles) getRoots(roots, level).push(root);
  return {
    size: Number(sized[0]?.size),
    tail: leaves.map(({ position, event, hash }) => ({ position: BigInt(position), event, hash })),
    roots,
  };
};

export const buildSizeQuery = (schema: string) => sql<string>`coalesce(
  (select max(leaf_index) + 1 from ${sql.id(schema, 'log_leaf')}),
  (select (max(tile_index) + 1) * ${TILE_WIDTH} from ${sql.id(schema, 'log_tile')} where level = 0),
  0)`;

export interface GrownTree {
  readonly frontier: MerkleFrontier;
  readonly statements: readonly ScriptStatement[];
}

/** The rows depend only on the leaves, not on batches: full tiles, plus leaves that fill no tile yet. */
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
    tiles.push(...buildFullTiles(roots, index, leaves.slice(folded, folded + TILE_WIDTH)));
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
            // Delete by key: a scan would read every row deleted since the last vacuum.
            {
              text: `delete from "${schema}"."log_leaf" where leaf_index between ${first} and ${frontier.size - 1}`,
            },
            copyRows(schema, logTile, tiles),
          ]),
      ...(fresh.length === 0 ? [] : [copyRows(schema, logLeaf, buildLeafRows(fresh, from))]),
    ],
  };
};

const buildLeafRows = (leaves: readonly Leaf[], from: number): readonly Row[] =>
  leaves.map(({ position, event, hash }, at) => ({
    leaf_index: from + at,
    position: position.toString(),
    event,
    hash: toBytea(hash),
  }));

/** The tiles above store no hashes: theirs are the roots of the tiles below. */
const buildFullTiles = (
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
      root: toBytea(root),
      hashes: toBytea(Buffer.concat(hashes)),
      events: leaves.map(({ event }) => event).join('\n'),
      last_position,
    },
  ];
  getRoots(roots, 0).push(root);
  let above = index;
  for (let level = 1; getRoots(roots, level - 1).length === TILE_WIDTH; level += 1) {
    const full = computeRoot(getRoots(roots, level - 1).splice(0));
    above = Math.floor(above / TILE_WIDTH);
    tiles.push({ level, tile_index: above, root: toBytea(full), last_position });
    getRoots(roots, level).push(full);
  }
  return tiles;
};

const getRoots = (roots: Uint8Array[][], level: number): Uint8Array[] => {
  const existing = roots[level];
  if (existing !== undefined) return existing;
  const none: Uint8Array[] = [];
  roots[level] = none;
  return none;
};

/** Bytes in the text format of Postgres. */
const toBytea = (bytes: Uint8Array): string =>
  `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
