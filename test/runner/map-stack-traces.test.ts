import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { withSources } from './map-stack-traces.ts';

const frames = suite('frames of failing tests');

frames('a failure names the source and its line, everything else stays as it was printed', () => {
  const built = temporaryDirectory('frames');
  writeFileSync(
    join(built.path, 'lines.json'),
    JSON.stringify({ sources: ['test/push/laws.test.ts'], runs: { 'push-laws.js': [[10, 0, 3]] } }),
  );
  const printed = [
    'FAIL  laws  "one of them"',
    `    at check (file://${built.path}/push-laws.js:12:5)`,
    '    at runner (file:///srv/node_modules/uvu/dist/index.mjs:78:5)',
  ];
  assert.equal(withSources(printed.join('\n'), built.path).split('\n'), [
    printed[0],
    '    at check (push/laws.test.ts:5)',
    printed[2],
  ]);
  built.remove();
});

frames.run();
