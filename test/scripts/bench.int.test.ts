import { spawn } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly wanted: { readonly atLeast?: number; readonly atMost?: number };
  readonly parts: Readonly<Record<string, number>>;
}

/** Every figure, in its order; what the counts of a quick run are is left out. */
const FIGURES = [
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
  /^another practice's pushes beside 20 MiB batches ÷ idle$/,
  /^deep queue, Retry-After at its end ÷ at its beginning$/,
  /^deep queue, RSS above idle$/,
  /^first start to ready$/,
  /^later start to ready$/,
  /^Records search with .+ records, p99$/,
  /^record page with .+ records, p99$/,
  /^statistics page with .+ records, p99$/,
  /^CPU per record with .+ stored ÷ with .+$/,
  /^RSS growth over .+ pushes$/,
];

const run = (...args: readonly string[]) =>
  new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    // Its stores are its own, as its directories are.
    const { DATABASE_URL: _database, EVENTSTORE_URL: _log, ...env } = process.env;
    const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/bench.ts', ...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (text: Buffer) => {
      stdout += text.toString();
    });
    child.stderr.on('data', (text: Buffer) => {
      stderr += text.toString();
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });

const bench = suite('the benchmarks');

bench('a quick run prints every figure, as a table and as JSON', async () => {
  const { code, stdout, stderr } = await run('--quick');
  // Whether the figures hold is not for a shared machine to say.
  assert.ok(stdout !== '' && (code === 0 || code === 1), stderr);
  const lines = stdout.trim().split('\n');
  const { figures } = JSON.parse(lines.at(-1) ?? '') as { figures: readonly Figure[] };
  assert.is(figures.length, FIGURES.length, stderr);
  for (const [place, { name, value, unit, wanted, parts }] of figures.entries()) {
    assert.match(name, FIGURES[place] ?? '');
    assert.ok(Number.isFinite(value), `${name}: ${value}`);
    assert.type(unit, 'string');
    assert.equal(
      Object.entries(wanted).map(([, bound]) => typeof bound),
      ['number'],
    );
    for (const [part, made] of Object.entries(parts))
      assert.ok(Number.isFinite(made), `${name}, ${part}: ${made}`);
  }

  const table = lines.slice(0, -1);
  assert.is(table[0], '| figure | measured | wanted | holds | made of |');
  assert.is(table.length, 2 + FIGURES.length);
  for (const row of table.slice(2))
    assert.match(row, /^\| .+ \| \S+( \S+)? \| [≥≤] [\d.]+ \| (yes|no) \| .* \|$/);
});

bench('a group that does not exist is wrong usage', async () => {
  const { code, stderr } = await run('--only', 'nothing');
  assert.is(code, 2);
  assert.match(stderr, 'Groups: door');
});

bench.run();
