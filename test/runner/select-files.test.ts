import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { selectFiles, sortLongestFirst } from './select-files.ts';

const selecting = suite('which test files run, and in which order');

const SOURCES: Readonly<Record<string, string>> = {
  'test/domain/decide.test.ts': '',
  'test/domain/laws.test.ts': 'fc.assert(property, runs(300));',
  'test/pages/home.int.test.ts': '',
  'test/push/cases.test.ts': 'for (const damage of takeCases(DAMAGES)) cases(damage, refuse);',
  'test/push/rows.int.test.ts': "addLong(rows, 'again', async () => {});",
  'test/push/outage.int.test.ts': '',
  'test/chaos/kills.long.test.ts': '',
  'test/chaos/upgrade.release.test.ts': 'runs(300)',
};
const select = (kind: Parameters<typeof selectFiles>[1], ...parts: readonly string[]) =>
  selectFiles(Object.keys(SOURCES), kind, parts, (file) => SOURCES[file] ?? '');

selecting('npm test runs everything but what takes long', () => {
  assert.equal(select('all'), [
    'test/domain/decide.test.ts',
    'test/domain/laws.test.ts',
    'test/pages/home.int.test.ts',
    'test/push/cases.test.ts',
    'test/push/rows.int.test.ts',
    'test/push/outage.int.test.ts',
  ]);
});

selecting('the quick run starts no service', () => {
  assert.equal(select('quick'), [
    'test/domain/decide.test.ts',
    'test/domain/laws.test.ts',
    'test/push/cases.test.ts',
  ]);
});

selecting(
  'the long run also has all input of the properties, all cases, and rows of its own',
  () => {
    assert.equal(select('long'), [
      'test/domain/laws.test.ts',
      'test/push/cases.test.ts',
      'test/push/rows.int.test.ts',
      'test/chaos/kills.long.test.ts',
    ]);
  },
);

selecting('the run of a release has what is too long for every change', () => {
  assert.equal(select('release'), ['test/chaos/upgrade.release.test.ts']);
});

selecting('a part of a path names files', () => {
  assert.equal(select('all', 'laws', 'pages/'), [
    'test/domain/laws.test.ts',
    'test/pages/home.int.test.ts',
  ]);
});

selecting('the longest come first, and before them those that nobody has timed', () => {
  const seconds = { 'a.test.ts': 3, 'b.int.test.ts': 5, 'c.int.test.ts': 1 };
  const files = ['new.test.ts', 'c.int.test.ts', 'a.test.ts', 'b.int.test.ts', 'new.int.test.ts'];
  assert.equal(sortLongestFirst(files, seconds), [
    'new.int.test.ts',
    'b.int.test.ts',
    'a.test.ts',
    'c.int.test.ts',
    'new.test.ts',
  ]);
});

selecting.run();
