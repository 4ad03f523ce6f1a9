import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { printsFigures, runBench } from './bench-runs.ts';

const bench = suite('the benchmarks: what lasts and grows');

bench('a quick run of the others prints every figure, as a table and as JSON', () =>
  printsFigures(
    ['fairness', 'back-pressure', 'start', 'pages', 'growth', 'proof', 'leak'],
    [
      /^another practice's pushes beside 20 MiB batches ÷ idle$/,
      /^deep queue, Retry-After at its end ÷ at its beginning$/,
      /^deep queue, RSS above idle$/,
      /^first start to ready$/,
      /^later start to ready$/,
      /^Records search with .+ records, p99$/,
      /^record page with .+ records, p99$/,
      /^statistics page with .+ records, p99$/,
      /^CPU per record with .+ stored ÷ with .+$/,
      /^tree of the log, per event$/,
      /^verify, highest RSS$/,
      /^202 beside a rehearsal ÷ without, p99$/,
      /^rehearsal, highest RSS$/,
      /^RSS growth over .+ pushes$/,
    ],
  ),
);

bench('a quick run of a few hostile inputs prints a figure of each', () => {
  process.env['BENCH_INPUT'] = 'children';
  return printsFigures(
    ['hostile'],
    [
      /^push: stays × children with a time of birth$/,
      /^chart: 1,000 Observations with 100 children in focus$/,
      /^chart: 900 Observations with 1,050 children in focus$/,
      /^chart: 400 weights and gestations with 200 children in focus$/,
      /^form: names of 1,000 children$/,
    ],
  );
});

bench('a quick run of pushes prints every figure, as a table and as JSON', () =>
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

bench.run();
