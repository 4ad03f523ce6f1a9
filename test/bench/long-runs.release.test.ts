import { suite } from 'uvu';
import { printsFigures } from './bench-runs.ts';

const bench = suite('the benchmarks: what lasts and grows');

bench('a quick run prints every figure, as a table and as JSON', () =>
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

bench.run();
