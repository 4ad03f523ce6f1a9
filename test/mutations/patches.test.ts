import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ESCAPED, findRegressions, NOT_APPLIED, parseMutation } from './patches.ts';

const patches = suite('patches of mutations');

patches('a name has a number, an area, and what is wrong', () => {
  const text = '--- a/domain/decide.ts\n+++ b/domain/decide.ts\n@@ -1 +1 @@\n-a\n+b\n';
  assert.equal(parseMutation('test/mutations/07-decide-late.patch', text), {
    name: '07-decide-late',
    path: 'test/mutations/07-decide-late.patch',
    files: ['domain/decide.ts'],
  });
  assert.throws(() => parseMutation('late.patch', text), /NN-area-what/);
});

patches('an escape of what was caught, and a patch that does not apply, fail the run', () => {
  const before = { a: 'test/a.test.ts', b: 'test/b.test.ts', c: ESCAPED };
  assert.equal(findRegressions(before, { a: 'test/z.test.ts', b: ESCAPED, c: ESCAPED }), ['b']);
  assert.equal(findRegressions(before, { c: NOT_APPLIED, d: ESCAPED }), ['c']);
});

patches.run();
