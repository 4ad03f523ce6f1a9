import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { chooseChanged, describeChange } from './choose-changed.ts';
import { addGreen, type GreenRuns } from './green-runs.ts';

const choosing = suite('which test files run after a change');

const NEAR = 'test/domain/mapper.test.ts';
const FAR = 'test/push/lane.int.test.ts';
const OTHER = 'test/pages/home.int.test.ts';
const SIGHTS = new Map([
  [NEAR, new Map([['domain/mapper.ts', 1]])],
  [FAR, new Map([['domain/mapper.ts', 4]])],
  [OTHER, new Map([['api/pages/home.ts', 1]])],
]);
const BEFORE = { 'domain/mapper.ts': 'a', 'api/pages/home.ts': 'a', 'package-lock.json': 'a' };
const GREEN = addGreen({ snapshots: {}, files: {} }, [NEAR, FAR, OTHER], BEFORE);

const choose = (green: GreenRuns, now: Record<string, string>, seconds = {}) =>
  chooseChanged(
    SIGHTS,
    { green, now: { ...BEFORE, ...now }, uncommitted: ['domain/mapper.ts'] },
    seconds,
  );

choosing('what can see the change runs, nearest first, and nothing else', () => {
  assert.equal(choose(GREEN, { 'domain/mapper.ts': 'b' }).files, [NEAR, FAR]);
  assert.equal(choose(GREEN, {}).files, []);
});

choosing('what passed with the change does not run again', () => {
  const now = { ...BEFORE, 'domain/mapper.ts': 'b' };
  assert.equal(choose(addGreen(GREEN, [NEAR], now), now).files, [FAR]);
});

choosing('every file runs after a change of the packages', () => {
  assert.is(choose(GREEN, { 'package-lock.json': 'b' }).files.length, SIGHTS.size);
});

choosing('what takes too long is left, and the run says so', () => {
  const change = choose(GREEN, { 'domain/mapper.ts': 'b' }, { [FAR]: 40 });
  assert.equal([change.files, change.left], [[NEAR], [FAR]]);
  assert.match(describeChange(change), /^1 more test file/);
});

choosing('what has never passed is compared with the last commit', () => {
  const change = choose({ snapshots: {}, files: {} }, {});
  assert.equal(change.files, [NEAR, FAR]);
  assert.ok(change.isComparedWithCommit);
});

choosing('a snapshot that no file needs is dropped', () => {
  const later = addGreen(GREEN, [NEAR, FAR, OTHER], { ...BEFORE, 'domain/mapper.ts': 'b' });
  assert.is(Object.keys(later.snapshots).length, 1);
});

choosing.run();
