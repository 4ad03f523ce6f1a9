import { sql } from 'kysely';
import * as assert from 'uvu/assert';
import { buildScript } from '../../adapters/package-internals/postgres-driver/scripts.ts';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import {
  appendLeaves,
  EMPTY_FRONTIER,
  type Leaf,
  loadMerkleFrontier,
  type MerkleFrontier,
} from '../../adapters/postgres/projector/merkle-frontier.ts';
import { ensureReadSchema } from '../../adapters/postgres/projector/read-schema.ts';
import { loadTree } from '../../adapters/transparency-log/log-tree.ts';
import { hashLeaf } from '../../transparency-log/leaf-entry.ts';
import { formatLeafName } from '../../transparency-log/log-tree.ts';
import {
  computeRoot,
  computeRootFromInclusion,
  listConsistencyRanges,
  listInclusionRanges,
} from '../../transparency-log/merkle-tree.ts';
import { hashRange } from '../../transparency-log/tiles.ts';
import { databaseSuite } from '../harness/postgres.ts';
import { IS_LONG } from '../support/runs.ts';
import { isExtension } from '../support/witness.ts';

const tree = databaseSuite('the tree of the log in Postgres');

const placeOf = (index: number) => ({
  stream: `record-${hashLeaf(Buffer.from(`${index % 700}`)).toString('base64url')}`,
  revision: BigInt(Math.floor(index / 700)),
});

/** Positions have gaps, as those of a log do. */
const leafAt = (index: number): Leaf => ({
  position: BigInt(100 + 3 * index),
  event: formatLeafName(placeOf(index)),
  hash: hashLeaf(Buffer.from(`event ${index}`)),
});
const leavesFrom = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => leafAt(from + at));
const rootAt = (size: number) =>
  Buffer.from(computeRoot(leavesFrom(0, size).map(({ hash }) => hash))).toString('hex');

/** Adds leaves behind an edge, which is then what the tables say it is. */
const grow = async (db: Db, from: MerkleFrontier, added: number): Promise<MerkleFrontier> => {
  const leaves = leavesFrom(from.size, from.size + added);
  const { frontier: edge, statements } = appendLeaves('read', from, leaves);
  if (statements.length > 0) await db.executeQuery(buildScript(statements));
  assert.equal(await loadMerkleFrontier(db, 'read'), edge);
  return edge;
};

tree.before.each(async ({ db }) => {
  await sql`drop schema if exists read cascade`.execute(db);
  await ensureReadSchema(db, 'registry');
});

tree('is the same whatever batches its leaves came in, at each size', async ({ db }) => {
  let edge = EMPTY_FRONTIER;
  for (const added of [1, 1, 2, 250, 1, 1, 1, 254, 1, 0, 257, 511, 512, 1_000, 3]) {
    edge = await grow(db, edge, added);
    const { size } = edge;
    const held = await loadTree(db);
    assert.is(held.size, size);
    assert.is(Buffer.from(held.root).toString('hex'), rootAt(size), `${size} leaves`);
  }
});

/** Leaves of one tile, and tiles of one tile of the level above. */
const TILE = 256;

tree('holds leaves on several levels, and proves each to be in it', async ({ db }) => {
  const size = IS_LONG ? 66_000 : 6_000;
  let edge = EMPTY_FRONTIER;
  while (edge.size < size) edge = await grow(db, edge, 3_000);
  const { rows } = await sql<{ level: number; tiles: string }>`
    select level, count(*) as tiles from read.log_tile group by level order by level`.execute(db);
  const tiles = [Math.floor(size / TILE), Math.floor(size / TILE ** 2)];
  assert.equal(
    rows,
    tiles.flatMap((count, level) => (count > 0 ? [{ level, tiles: `${count}` }] : [])),
  );
  const held = await loadTree(db);
  assert.is(Buffer.from(held.root).toString('hex'), rootAt(size));
  const leaves = [
    0, 255, 256, 511, 512, 5_887, 5_888, 5_999, 40_000, 65_535, 65_536, 65_791, 65_792, 65_999,
  ];
  for (const index of leaves.filter((leaf) => leaf < size)) {
    const path = await Promise.all(
      listInclusionRanges(index, size).map((range) => hashRange(range, held.readTile)),
    );
    const root = computeRootFromInclusion(leafAt(index).hash, index, size, path);
    assert.equal(root && Buffer.from(root), Buffer.from(held.root), `leaf ${index}`);
  }
  const sizes = [1, 255, 256, 257, 5_999, 65_535, 65_536, 65_537, 65_999];
  for (const old of sizes.filter((earlier) => earlier < size)) {
    const root = await hashRange({ from: 0, to: old }, held.readTile);
    assert.is(Buffer.from(root).toString('hex'), rootAt(old));
    const path = await Promise.all(
      listConsistencyRanges(old, size).map((range) => hashRange(range, held.readTile)),
    );
    assert.ok(isExtension({ size: old, root }, held, path), `from ${old}`);
  }
  // A small table has room in its pages that a large one has filled.
  const mostBytes = IS_LONG ? 100 : 130;
  const { rows: used } = await sql<{ bytes: string }>`
    select pg_total_relation_size('read.log_tile') as bytes`.execute(db);
  const perEvent = Number(used[0]?.bytes) / size;
  assert.ok(perEvent < mostBytes, `${perEvent.toFixed(1)} bytes an event`);
});

tree.run();
