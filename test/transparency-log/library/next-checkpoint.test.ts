import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildNextCheckpoint } from '../../../transparency-log/checkpoint.ts';
import { hashLeaf } from '../../../transparency-log/leaf-entry.ts';
import type { LogTree } from '../../../transparency-log/log-tree.ts';
import { computeRoot } from '../../../transparency-log/merkle-tree.ts';
import { countLeavesBelow, TILE_WIDTH } from '../../../transparency-log/tiles.ts';

const next = suite('the next checkpoint of a log');

/** A tree of so many leaves; one of them may be another than usual. */
const treeOf = (size: number, other = -1): LogTree => {
  const leaves = Array.from({ length: size }, (_, index) =>
    hashLeaf(Buffer.from(index === other ? 'another' : `event ${index}`)),
  );
  return {
    size,
    root: computeRoot(leaves),
    readTile: async ({ level, index, width }) => {
      const each = countLeavesBelow(level);
      return Array.from({ length: width }, (_, at) => {
        const from = (index * TILE_WIDTH + at) * each;
        return computeRoot(leaves.slice(from, from + each));
      });
    },
  };
};

const ROWS: readonly (readonly [
  given: string,
  last: LogTree | null,
  tree: LogTree,
  kind: string,
])[] = [
  ['an empty log', null, treeOf(0), 'nothing-new'],
  ['the first events', null, treeOf(3), 'sign'],
  ['nothing since', treeOf(3), treeOf(3), 'nothing-new'],
  ['one more', treeOf(3), treeOf(4), 'sign'],
  ['a full tile', treeOf(255), treeOf(256), 'sign'],
  ['tiles since', treeOf(257), treeOf(1_000), 'sign'],
  ['two levels', treeOf(600), treeOf(66_000), 'sign'],
  ['the last one is gone', treeOf(4), treeOf(3), 'refused shorter'],
  ['another one in its place', treeOf(4), treeOf(4, 3), 'refused rewritten'],
  [
    'one of the first is changed, and others came',
    treeOf(300),
    treeOf(600, 7),
    'refused rewritten',
  ],
  ['one that came since is as it is', treeOf(300), treeOf(600, 300), 'sign'],
];

for (const [given, last, tree, kind] of ROWS)
  next(given, async () => {
    const decided = await buildNextCheckpoint(last, tree);
    assert.is(decided.kind === 'refused' ? `refused ${decided.why}` : decided.kind, kind);
    if (decided.kind === 'sign') assert.equal(decided.head, { size: tree.size, root: tree.root });
  });

next.run();
