import { sql } from 'kysely';
import * as assert from 'uvu/assert';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import {
  appendLeaves,
  EMPTY_FRONTIER,
  type Leaf,
  loadMerkleFrontier,
  type MerkleFrontier,
} from '../../adapters/postgres/projector/merkle-frontier.ts';
import { ensureReadSchema } from '../../adapters/postgres/projector/read-schema.ts';
import { buildScript } from '../../adapters/private-parts/postgres-driver/scripts.ts';
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

tree('holds 66,000 leaves on three levels, and proves each to be in it', async ({ db }) => {
  const size = 66_000;
  let edge = EMPTY_FRONTIER;
  while (edge.size < size) edge = await grow(db, edge, 3_000);
  const { rows } = await sql<{ level: number; tiles: string }>`
    select level, count(*) as tiles from read.log_tile group by level order by level`.execute(db);
  assert.equal(rows, [
    { level: 0, tiles: '257' },
    { level: 1, tiles: '1' },
  ]);
  const held = await loadTree(db);
  assert.is(Buffer.from(held.root).toString('hex'), rootAt(size));
  for (const index of [0, 255, 256, 40_000, 65_535, 65_536, 65_791, 65_792, 65_999]) {
    const path = await Promise.all(
      listInclusionRanges(index, size).map((range) => hashRange(range, held.readTile)),
    );
    const root = computeRootFromInclusion(leafAt(index).hash, index, size, path);
    assert.equal(root && Buffer.from(root), Buffer.from(held.root), `leaf ${index}`);
  }
  for (const old of [1, 255, 256, 257, 65_535, 65_536, 65_537, 65_999]) {
    const root = await hashRange({ from: 0, to: old }, held.readTile);
    assert.is(Buffer.from(root).toString('hex'), rootAt(old));
    const path = await Promise.all(
      listConsistencyRanges(old, size).map((range) => hashRange(range, held.readTile)),
    );
    assert.ok(isExtension({ size: old, root }, held, path), `from ${old}`);
  }
  const { rows: used } = await sql<{ bytes: string }>`
    select pg_total_relation_size('read.log_tile') as bytes`.execute(db);
  const perEvent = Number(used[0]?.bytes) / size;
  assert.ok(perEvent < 100, `${perEvent.toFixed(1)} bytes an event`);
});

tree.run();
