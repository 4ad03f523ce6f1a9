import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  compareLeaves,
  type LeafDifference,
  type NamedLeaf,
} from '../../../transparency-log/compare-leaves.ts';
import { hashLeaf } from '../../../transparency-log/leaf-entry.ts';
import { createCompactRange } from '../../../transparency-log/log-tree.ts';
import { computeRoot } from '../../../transparency-log/merkle-tree.ts';
import { runs } from '../../support/runs.ts';

const leaf = (event: string, content = event): NamedLeaf => ({
  event,
  hash: hashLeaf(Buffer.from(content)),
});

const compared = async (kept: readonly NamedLeaf[], log: readonly NamedLeaf[], most = 1_000) => {
  const told: LeafDifference[] = [];
  const tree = (async function* () {
    yield* kept;
  })();
  const comparison = compareLeaves(tree, (difference) => told.push(difference));
  for (const one of log) await comparison.add(one);
  const lost = await comparison.end(most);
  const words = told.map(({ kind, event, index }) => `${kind} ${event} ${index}`);
  return { told: words.toSorted(), lost };
};

const changes = suite('what was changed in a log is named');

const leaves = (names: string): NamedLeaf[] =>
  names
    .split(' ')
    .filter((name) => name !== '')
    // "c!" is event c with another content.
    .map((name) => leaf(name.replace('!', ''), name));

const NOTHING_LOST = { count: 0, events: [] };
const ROWS: readonly (readonly [
  given: string,
  log: string,
  told: readonly string[],
  lost: { readonly count: number; readonly events: readonly string[] },
])[] = [
  ['nothing', 'a b c d e', [], NOTHING_LOST],
  ['events that came since', 'a b c d e f g', [], NOTHING_LOST],
  ['one changed', 'a b c! d e', ['changed c 2'], NOTHING_LOST],
  ['the last one changed', 'a b c d e!', ['changed e 4'], NOTHING_LOST],
  ['two changed', 'a! b c d! e', ['changed a 0', 'changed d 3'], NOTHING_LOST],
  ['two neighbors swapped', 'a c b d e', ['moved b 1', 'moved c 2'], NOTHING_LOST],
  ['two others swapped', 'a e c d b', ['moved b 1', 'moved e 4'], NOTHING_LOST],
  ['one removed', 'a c d e', ['gone b 1'], NOTHING_LOST],
  ['the first removed, and news', 'b c d e f g', ['gone a 0'], NOTHING_LOST],
  ['one inserted', 'a b x c d e', ['added x 2'], NOTHING_LOST],
  ['inserted first, and news', 'x a b c d e f', ['added x 0'], NOTHING_LOST],
  ['replaced', 'a x c d e', ['added x 1', 'gone b 1'], NOTHING_LOST],
  ['inserted and changed', 'x a b! c d e', ['added x 0', 'changed b 1'], NOTHING_LOST],
  ['the tail cut', 'a b c', [], { count: 2, events: ['d', 'e'] }],
  ['everything cut', '', [], { count: 5, events: ['a', 'b', 'c', 'd', 'e'] }],
  ['an older backup that went on', 'a b x', ['added x 2'], { count: 3, events: ['c', 'd', 'e'] }],
];

for (const [given, log, told, lost] of ROWS)
  changes(given, async () => {
    const { told: actual, lost: end } = await compared(leaves('a b c d e'), leaves(log));
    assert.equal(actual, told);
    assert.equal({ count: end.count, events: end.events }, lost);
    assert.is(end.from, 5 - lost.count);
  });

const many = Array.from({ length: 5_000 }, (_, index) => leaf(`e${index}`));

changes('also far from where both agree again', async () => {
  const swapped = many.with(3, many[4_200] as NamedLeaf).with(4_200, many[3] as NamedLeaf);
  assert.equal((await compared(many, swapped)).told, ['moved e3 3', 'moved e4200 4200']);
  const shorter = many.toSpliced(10, 1);
  assert.equal((await compared(many, shorter)).told, ['gone e10 10']);
  const longer = many.toSpliced(10, 0, leaf('x'));
  assert.equal((await compared(many, longer)).told, ['added x 10']);
});

changes('a tree that is far behind its log', async () => {
  const news = Array.from({ length: 50_000 }, (_, index) => leaf(`n${index}`));
  const { told, lost } = await compared(many.slice(0, 100), [...many.slice(0, 100), ...news]);
  assert.equal(told, []);
  assert.is(lost.count, 0);
  const [first, second] = many as [NamedLeaf, NamedLeaf];
  const swapped = [second, first, ...many.slice(2, 100), ...news];
  assert.equal((await compared(many.slice(0, 100), swapped)).told, ['moved e0 0', 'moved e1 1']);
});

changes('a lost end is counted whole, and listed up to a number', async () => {
  const { told, lost } = await compared(many, many.slice(0, 1_000), 3);
  assert.equal(told, []);
  assert.equal(lost, { from: 1_000, count: 4_000, events: ['e1000', 'e1001', 'e1002'] });
});

changes('a whole stretch that is another history', async () => {
  const other = Array.from({ length: 2_500 }, (_, index) => leaf(`n${index}`));
  const { told, lost } = await compared(many, [...many.slice(0, 2_000), ...other]);
  assert.is(told.filter((one) => one.startsWith('added n')).length, 2_500);
  assert.is(told.filter((one) => one.startsWith('gone')).length + lost.count, 3_000);
});

changes('any log is told apart from its tree unless it goes on where that ends', async () => {
  const names = fc.uniqueArray(fc.nat(40), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(names, names, async (one, other) => {
      const [kept, log] = [one, other].map((list) => list.map((name) => leaf(`e${name}`)));
      const { told, lost } = await compared(kept ?? [], log ?? []);
      const goesOn = one.every((name, at) => other[at] === name);
      assert.is(told.length + lost.count === 0, goesOn);
    }),
    runs(2_000),
  );
});

changes.run();

const growing = suite('a tree that keeps its right edge only');

growing('has the root of its leaves at each size', () => {
  const tree = createCompactRange();
  const hashes: Uint8Array[] = [];
  for (let size = 0; size <= 600; size += 1) {
    assert.is(tree.size(), size);
    assert.equal(Buffer.from(tree.root()), Buffer.from(computeRoot(hashes)));
    const { hash } = leaf(`e${size}`);
    tree.add(hash);
    hashes.push(hash);
  }
});

growing.run();
