import { spawn } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const torture = suite('torture: hostile input');

interface Printed {
  readonly seed: string;
  readonly results: readonly {
    readonly group: string;
    readonly counts: Readonly<Record<string, number>>;
    readonly faults: readonly string[];
  }[];
}

/** Runs the command as a person would. */
const runTorture = (...args: readonly string[]) =>
  new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    // Its stores are its own, as its directories are.
    const { DATABASE_URL: _database, EVENTSTORE_URL: _log, ...env } = process.env;
    const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/torture.ts', ...args], {
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

/** What a quick run does at least: less would show nothing. */
const AT_LEAST: readonly (readonly [string, number])[] = [
  ['requests', 1_500],
  ['changed Bundles', 300],
  ['spoilt Bundles', 100],
  ['packed Bundles', 30],
  ['strange heads', 200],
  ['spoilt heads', 60],
  ['changed forms', 80],
  ['files', 10],
  ['framing shapes', 90],
  ['slow senders', 30],
  ['answers 2xx', 200],
  ['answers 4xx', 200],
  ['receipts read', 10],
  ['records', 50],
  ['events verified', 200],
];

torture('a quick run finds nothing that should not happen', async () => {
  const { code, stdout, stderr } = await runTorture(
    ...['--quick', '--only', 'hostile-input', '--seed', 'npm test'],
  );
  const printed = stdout.trim().split('\n').at(-1) ?? '';
  assert.ok(printed.startsWith('{'), stderr);
  const { seed, results } = JSON.parse(printed) as Printed;
  assert.is(seed, 'npm test');
  const [{ group, counts, faults } = { group: '', counts: {}, faults: [] }] = results;
  assert.is(group, 'hostile-input');
  assert.equal(faults, []);
  for (const [what, least] of AT_LEAST)
    assert.ok((counts[what] ?? 0) >= least, `${what}: ${counts[what]}`);
  assert.is(code, 0);
});

torture.run();
