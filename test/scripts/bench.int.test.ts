import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { printsFigures, runBench } from '../support/bench-figures.ts';

const bench = suite('the benchmarks: pushes and what is stored');

bench('a quick run prints every figure, as a table and as JSON', () =>
  printsFigures(
    ['door', 'throughput', 'stored', 'latency', 'large-batch'],
    [
      /^durable 202\/s ÷ R0, small$/,
      /^durable 202\/s ÷ R0, real 189 KB$/,
      /^small pushes end to end ÷ emmett appends$/,
      /^batch of .+, records\/s ÷ emmett appends$/,
      /^real 189 KB Bundles end to end$/,
      /^storage per record, log$/,
      /^storage per record, tables$/,
      /^rebuild, events\/s ÷ emmett appends$/,
      /^202 at half of full load, p99$/,
      /^GET status at 1,000\/s, p99$/,
      /^20 MiB batch, RSS above idle$/,
      /^20 MiB batch, longest stall$/,
    ],
  ),
);

bench('a group that does not exist is wrong usage', async () => {
  const { code, stderr } = await runBench('--only', 'nothing');
  assert.is(code, 2);
  assert.match(stderr, 'Groups: door');
});

bench.run();
