import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { printsFigures, runBench } from './bench-runs.ts';

const bench = suite('the benchmarks: pushes and what is stored');

bench('a quick run prints every figure, as a table and as JSON', () =>
  printsFigures(
    ['door', 'throughput', 'stored', 'latency', 'large-batch'],
    [
      /^durable 202\/s ÷ R0, small$/,
      /^durable 202\/s ÷ R0, complete 190 KB$/,
      /^small pushes end to end ÷ emmett appends$/,
      /^batch of .+, records\/s ÷ emmett appends$/,
      /^complete 190 KB Bundles end to end$/,
      /^storage per record, log$/,
      /^storage per record, tables$/,
      /^rebuild, events\/s ÷ emmett appends$/,
      /^202 at half of full load, p99$/,
      /^202 at half of full load, p50 ÷ R0$/,
      /^202 at half of full load, p99 ÷ R0$/,
      /^GET status at 1,000\/s, p99$/,
      /^20 MiB batch, RSS above idle$/,
      /^20 MiB batch, longest stall$/,
    ],
  ),
);

bench('two trees are compared, figure by figure', async () => {
  const { code, stdout, stderr } = await runBench(
    '--quick',
    '--only',
    'push-cost',
    '--compare',
    '.',
  );
  assert.is(code, 0, stderr);
  const lines = stdout.trim().split('\n');
  const { compared } = JSON.parse(lines.at(-1) ?? '') as {
    compared: readonly { name: string; gain: { median: number }; pairs: number }[];
  };
  assert.equal(
    compared.map(({ name }) => name),
    [
      ...['small push', 'small push with a key'].flatMap((push) =>
        ['events', 'log', 'tables', 'CPU'].map((used) => `${push}, ${used}`),
      ),
      'API and log at rest, RSS',
    ],
    stderr,
  );
  for (const { gain, pairs } of compared) {
    assert.ok(gain.median > 0);
    assert.is(pairs, 1);
  }
  assert.is(lines[0], '| figure | there | here | gain | least to most | pairs |');
  assert.is(lines.length, 2 + compared.length + 1);
});

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
