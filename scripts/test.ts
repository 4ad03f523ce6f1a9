import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMMAND_FLAGS } from './node-flags.ts';
import { temporaryMemory } from './temporary-memory.ts';

/**
 * Runs every test file, or those whose path holds one of the arguments, each in a process of its
 * own, and ends with the line `N passed, N failed`. A file that runs no test has failed: uvu
 * reports a forgotten `.run()` as success.
 */

interface FileResult {
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  readonly seconds: number;
  readonly output: string;
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LONGEST_FILE_MS = 300_000;
// Where somebody wants them else, they go there.
process.env['TMPDIR'] ??= temporaryMemory() ?? tmpdir();

const run = (file: string): Promise<FileResult> =>
  new Promise((resolve) => {
    const began = performance.now();
    const directory = mkdtempSync(join(tmpdir(), 'birth-registry-test-'));
    const child = spawn(process.execPath, [...COMMAND_FLAGS, '--import', 'tsx', file], {
      cwd: ROOT,
      env: { ...process.env, FORCE_COLOR: '0', DATA_DIR: directory },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (text: Buffer) => {
      output += text.toString();
    });
    child.stderr.on('data', (text: Buffer) => {
      output += text.toString();
    });
    const timer = setTimeout(() => {
      output += `\nStopped after ${LONGEST_FILE_MS / 1000} s.\n`;
      child.kill('SIGKILL');
    }, LONGEST_FILE_MS);
    child.on('close', (code) => {
      clearTimeout(timer);
      rmSync(directory, { recursive: true, force: true });
      resolve({
        file,
        seconds: (performance.now() - began) / 1000,
        output,
        ...countOf(output, code),
      });
    });
  });

const countOf = (output: string, code: number | null): { passed: number; failed: number } => {
  const total = numberAfter(output, 'Total:');
  const passed = numberAfter(output, 'Passed:');
  if (total === 0) return { passed: 0, failed: 1 };
  const failed = total - passed;
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed };
};

const numberAfter = (output: string, label: string): number =>
  [...output.matchAll(new RegExp(`${label}\\s+(\\d+)`, 'g'))].reduce(
    (sum, [, digits]) => sum + Number(digits),
    0,
  );

const wanted = process.argv.slice(2);
const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.test\.tsx?$/.test(file))
  .map((file) => join('test', file))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  // Long ones first, so that all cores have work to the end.
  .sort((a, b) => Number(b.includes('.int.')) - Number(a.includes('.int.')) || a.localeCompare(b));

// Once, and not by each test that starts a built service or gives a command.
execFileSync(process.execPath, ['scripts/run.mjs', '--build-only'], {
  cwd: ROOT,
  stdio: 'inherit',
});

const results: FileResult[] = [];
const waiting = [...files];
const worker = async (): Promise<void> => {
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    const result = await run(file);
    results.push(result);
    const { passed, failed, seconds } = result;
    const mark = failed === 0 ? 'ok  ' : 'FAIL';
    process.stdout.write(
      `${mark} ${file}: ${passed} passed, ${failed} failed (${seconds.toFixed(1)} s)\n`,
    );
    if (failed > 0) process.stdout.write(`${result.output}\n`);
  }
};
// Many wait for leases and stores more than they compute: one file more than there are cores.
await Promise.all(Array.from({ length: cpus().length + 1 }, worker));

const passed = results.reduce((sum, result) => sum + result.passed, 0);
const failed = results.reduce((sum, result) => sum + result.failed, 0);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 && results.length > 0 ? 0 : 1);
