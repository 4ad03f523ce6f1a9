import { verifyMerkleInclusion } from '@sigstore/verify/dist/tlog/merkle.js';
import { CoMETRE } from '@transmute/rfc9162';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatLeafEntry, hashLeaf } from '../../../transparency-log/leaf-entry.ts';
import {
  computeRoot,
  computeRootFromInclusion,
  EMPTY_ROOT,
  isSame,
  listConsistencyRanges,
  listInclusionRanges,
} from '../../../transparency-log/merkle-tree.ts';
import {
  countLeavesBelow,
  formatTilePath,
  hashRange,
  hasTile,
  parseTilePath,
  type ReadTile,
  readOnce,
  TILE_WIDTH,
  type Tile,
} from '../../../transparency-log/tiles.ts';
import { runs } from '../../support/runs.ts';
import { isExtension } from '../../support/witness.ts';

const tree = suite('the tree of a log');

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** The leaves with which implementations of RFC 6962 test themselves, and the roots over the first of them. */
const KNOWN = [
  ['', '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'],
  ['00', 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'],
  ['10', 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77'],
  ['2021', 'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7'],
  ['3031', '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4'],
  ['40414243', '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef'],
  ['5051525354555657', 'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c'],
  [
    '606162636465666768696a6b6c6d6e6f',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ],
] as const;

tree('roots are those of RFC 6962', () => {
  assert.is(hexOf(EMPTY_ROOT), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  const leaves = KNOWN.map(([entry]) => hashLeaf(Buffer.from(entry, 'hex')));
  for (const [at, [, root]] of KNOWN.entries())
    assert.is(hexOf(computeRoot(leaves.slice(0, at + 1))), root);
});

tree('an entry is what printf makes of it', () => {
  const entry = formatLeafEntry({
    stream: 'birth-1',
    revision: 3n,
    id: 'b7c5d0a4-6a7c-4f7e-9d8e-0a1b2c3d4e5f',
    type: 'BirthAmended',
    data: Buffer.from('{"a":1}'),
    metadata: Buffer.from('{}'),
  });
  assert.is(
    entry.toString(),
    'birth-registry-event/v1\nbirth-1\n3\nb7c5d0a4-6a7c-4f7e-9d8e-0a1b2c3d4e5f\nBirthAmended\neyJhIjoxfQ==\ne30=\n',
  );
});

const LARGEST = 10_001;
const entryOf = (n: number): Buffer => Buffer.from(`entry ${n}`);
const LEAVES = Array.from({ length: LARGEST }, (_, n) => hashLeaf(entryOf(n)));

/** Roots of full subtrees, level by level: what the tiles of the largest tree hold. */
const LEVELS: (readonly Uint8Array[])[] = [LEAVES];
for (let below: readonly Uint8Array[] = LEAVES; below.length >= TILE_WIDTH; ) {
  const full = Math.floor(below.length / TILE_WIDTH);
  const held = below;
  below = Array.from({ length: full }, (_, n) =>
    computeRoot(held.slice(n * TILE_WIDTH, (n + 1) * TILE_WIDTH)),
  );
  LEVELS.push(below);
}

/** Hands out the tiles that a tree of a size has, and no other. */
const tilesOf =
  (size: number): ReadTile =>
  (tile: Tile) => {
    assert.ok(hasTile(tile, size), `${formatTilePath(tile)} of ${size}`);
    const first = tile.index * TILE_WIDTH;
    return Promise.resolve((LEVELS[tile.level] ?? []).slice(first, first + tile.width));
  };

const headOf = (size: number) => ({ size, root: computeRoot(LEAVES.slice(0, size)) });

const proofOf = (index: number, size: number) =>
  Promise.all(listInclusionRanges(index, size).map((range) => hashRange(range, tilesOf(size))));

const consistencyOf = (old: number, size: number) =>
  Promise.all(listConsistencyRanges(old, size).map((range) => hashRange(range, tilesOf(size))));

/** Every size around powers of 2 and multiples of 256, and the smallest ones. */
const SIZES = [
  ...new Set(
    [
      ...Array.from({ length: 20 }, (_, n) => n + 1),
      ...[32, 64, 128, 256, 512, 768, 1_024, 2_048, 4_096, 8_192, 10_000],
    ].flatMap((size) => (size < 20 ? [size] : [size - 1, size, size + 1])),
  ),
];

/** Sigstore's judgement. */
const isIncluded = (index: number, size: number, hashes: readonly Uint8Array[]): boolean => {
  const { root } = headOf(size);
  try {
    verifyMerkleInclusion(
      {
        canonicalizedBody: entryOf(index),
        inclusionProof: { logIndex: String(index), hashes: hashes.map((one) => Buffer.from(one)) },
      } as never,
      { logSize: BigInt(size), logHash: Buffer.from(root) } as never,
    );
    return true;
  } catch {
    return false;
  }
};

tree('proofs of inclusion hold for others, at every size', async () => {
  for (const size of SIZES) {
    const { root } = headOf(size);
    const indexes = new Set([0, 1, size >> 1, size - 2, size - 1, (size * 7919) % size, 255, 256]);
    for (const index of indexes) {
      if (index < 0 || index >= size) continue;
      const path = await proofOf(index, size);
      assert.ok(isIncluded(index, size, path), `${index} of ${size}`);
      const leaf = LEAVES[index] ?? EMPTY_ROOT;
      assert.ok(isSame(computeRootFromInclusion(leaf, index, size, path) ?? EMPTY_ROOT, root));
    }
  }
});

tree('a proof reads each tile once', async () => {
  const size = 9_999;
  const read: string[] = [];
  const readTile = readOnce((tile) => {
    read.push(formatTilePath(tile));
    return tilesOf(size)(tile);
  });
  for (const index of [4_000, 4_001, 9_998])
    for (const range of listInclusionRanges(index, size)) await hashRange(range, readTile);
  assert.is(new Set(read).size, read.length);
});

tree('proofs of consistency hold for others, at every pair of sizes', async () => {
  for (const size of SIZES.filter((one) => one <= 1_025))
    for (const old of SIZES.filter((one) => one < size)) {
      const path = await consistencyOf(old, size);
      const [older, newer] = [headOf(old), headOf(size)];
      assert.ok(isExtension(older, newer, path), `${old} in ${size}`);
      // RFC 9162 puts the root of a full subtree before the path; this library wants it put there.
      const isFull = Number.isInteger(Math.log2(old));
      const isConsistent = await CoMETRE.verifyConsistencyProof(older.root, old, newer.root, size, {
        log_id: '',
        tree_size_1: old,
        tree_size_2: size,
        consistency_path: isFull ? [older.root, ...path] : path,
      });
      assert.ok(isConsistent, `${old} in ${size}`);
    }
});

tree('a changed leaf, place, size or hash proves nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 600 }).chain((size) =>
        fc.record({
          size: fc.constant(size),
          index: fc.nat(size - 1),
          other: fc.nat(size - 1),
          at: fc.nat(20),
        }),
      ),
      async ({ size, index, other, at }) => {
        const { root } = headOf(size);
        const path = await proofOf(index, size);
        const leaf = LEAVES[index] ?? EMPTY_ROOT;
        const holds = (...proof: Parameters<typeof computeRootFromInclusion>) => {
          const found = computeRootFromInclusion(...proof);
          return found !== null && isSame(found, root);
        };
        assert.ok(holds(leaf, index, size, path));
        assert.not.ok(holds(leaf, index, size, path.slice(1)));
        assert.not.ok(holds(leaf, index, size, [...path, root]));
        assert.not.ok(holds(leaf, size, size, path));
        assert.not.ok(holds(leaf, -1, size, path));
        if (other !== index) {
          assert.not.ok(holds(leaf, other, size, path));
          assert.not.ok(holds(LEAVES[other] ?? EMPTY_ROOT, index, size, path));
        }
        const changed = path.map((hash, place) =>
          place === at % path.length ? Uint8Array.from(hash, (byte) => byte ^ 1) : hash,
        );
        assert.not.ok(holds(leaf, index, size, changed));
      },
    ),
    runs(100),
  );
});

tree('a tree that was rewritten is no extension', async () => {
  const [older, newer] = [headOf(300), headOf(700)];
  const path = await consistencyOf(300, 700);
  const other = {
    size: 300,
    root: computeRoot([...LEAVES.slice(0, 299), LEAVES[0] ?? EMPTY_ROOT]),
  };
  assert.ok(isExtension(older, newer, path));
  assert.not.ok(isExtension(other, newer, path));
  assert.not.ok(isExtension(newer, older, path));
  assert.not.ok(isExtension(older, newer, path.slice(1)));
  assert.not.ok(isExtension(older, { ...newer, root: older.root }, path));
  assert.ok(isExtension(older, older, []));
  assert.not.ok(isExtension(other, older, []));
  assert.ok(isExtension(headOf(0), newer, []));
  assert.not.ok(isExtension({ size: 0, root: older.root }, newer, []));
});

tree('a tile has one path', () => {
  const rows: readonly (readonly [Tile, string])[] = [
    [{ level: 0, index: 0, width: 256 }, 'tile/0/000'],
    [{ level: 0, index: 273, width: 112 }, 'tile/0/273.p/112'],
    [{ level: 1, index: 1, width: 17 }, 'tile/1/001.p/17'],
    [{ level: 2, index: 0, width: 1 }, 'tile/2/000.p/1'],
    [{ level: 0, index: 1_234_067, width: 256 }, 'tile/0/x001/x234/067'],
    [{ level: 0, index: 1_000, width: 256 }, 'tile/0/x001/000'],
  ];
  for (const [tile, path] of rows) {
    assert.is(formatTilePath(tile), path);
    assert.equal(parseTilePath(path), tile);
  }
  for (const path of [
    'tile/0/0',
    'tile/00/000',
    'tile/0/x000/000',
    'tile/0/000.p/0',
    'tile/0/000.p/256',
    'tile/0/000.p/300',
    'tile/0/000.p/012',
    'tile/7/000',
    'tile/0/001/000',
    'tile/0/x001/000/',
    'tile/entries/000',
    '/tile/0/000',
    `tile/0/${'x999/'.repeat(9)}999`,
  ])
    assert.is(parseTilePath(path), null, path);
});

tree('a size has so many tiles as C2SP says', () => {
  const count = (level: number, size: number): readonly number[] => {
    const hashes = Math.floor(size / countLeavesBelow(level));
    return [Math.floor(hashes / TILE_WIDTH), hashes % TILE_WIDTH];
  };
  assert.equal(
    [0, 1, 2].map((level) => count(level, 70_000)),
    [
      [273, 112],
      [1, 17],
      [0, 1],
    ],
  );
  assert.ok(hasTile({ level: 0, index: 273, width: 112 }, 70_000));
  assert.ok(hasTile({ level: 0, index: 273, width: 1 }, 70_000));
  assert.not.ok(hasTile({ level: 0, index: 273, width: 113 }, 70_000));
  assert.not.ok(hasTile({ level: 2, index: 0, width: 2 }, 70_000));
});

tree.run();
