import { spawn } from 'node:child_process';
import * as assert from 'uvu/assert';

interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly wanted: { readonly atLeast?: number; readonly atMost?: number };
  readonly parts: Readonly<Record<string, number>>;
}

/** Runs the benchmarks as a person would. */
export const runBench = (...args: readonly string[]) =>
  new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    // Its stores are its own, as its directories are.
    const { DATABASE_URL: _database, EVENTSTORE_URL: _log, ...env } = process.env;
    const child = spawn(process.execPath, ['--import', 'tsx', 'test/bench/run.ts', ...args], {
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

/** Runs some groups with small counts and checks that each of their figures is printed, twice. */
export const printsFigures = async (
  groups: readonly string[],
  names: readonly RegExp[],
): Promise<void> => {
  const { code, stdout, stderr } = await runBench(
    '--quick',
    ...groups.flatMap((group) => ['--only', group]),
  );
  // Whether the figures hold is not for a shared machine to say.
  assert.ok(stdout !== '' && (code === 0 || code === 1), stderr);
  const lines = stdout.trim().split('\n');
  const { figures } = JSON.parse(lines.at(-1) ?? '') as { figures: readonly Figure[] };
  assert.is(figures.length, names.length, stderr);
  for (const [place, { name, value, unit, wanted, parts }] of figures.entries()) {
    assert.match(name, names[place] ?? '');
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
  assert.is(table[0], '| figure | measured | wanted | holds | aim | made of |');
  assert.is(table.length, 2 + names.length);
  for (const row of table.slice(2))
    assert.match(
      row,
      /^\| .+ \| \S+( \S+)? \| [≥≤] [\d.]+ \| (yes|no) \| ([≥≤] [\d.]+)? \| .* \|$/,
    );
};
