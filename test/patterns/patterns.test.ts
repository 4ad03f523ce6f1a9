import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PATTERNS, readTried, writtenOf } from './support/patterns-in-source.ts';

/** The expressions are tried in the long run, which takes its time; here only new ones are found. */
const patterns = suite('regular expressions');

patterns('each has been tried against what is made to be slow for it', () => {
  assert.ok(PATTERNS.length > 100, `only ${PATTERNS.length} were found`);
  const tried = new Set(readTried());
  assert.equal(
    PATTERNS.filter((pattern) => !tried.has(writtenOf(pattern))).map(({ place }) => place),
    [],
    'Try them: UPDATE_TRIED=1 npx tsx test/patterns/patterns.long.test.ts',
  );
});

patterns('none that has gone stands among those that were tried', () => {
  const written = new Set(PATTERNS.map(writtenOf));
  assert.equal(
    readTried().filter((tried) => !written.has(tried)),
    [],
  );
});

patterns.run();
