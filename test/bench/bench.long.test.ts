import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { printsFigures, runBench } from './bench-runs.ts';

const bench = suite('the benchmarks');

bench('a quick run prints every figure, as a table and as JSON', () =>
  printsFigures(['start'], [/^first start to ready$/, /^later start to ready$/]),
);

bench('a directory that holds another thing is not compared', async () => {
  for (const directory of ['docs', 'no-such-directory']) {
    const { code, stderr } = await runBench('--quick', '--only', 'start', '--compare', directory);
    assert.is(code, 1);
    assert.match(stderr, `${directory} printed no figures`);
  }
});

bench('a group that does not exist is wrong usage', async () => {
  const { code, stderr } = await runBench('--only', 'nothing');
  assert.is(code, 2);
  assert.match(stderr, 'Groups: door');
});

bench.run();
