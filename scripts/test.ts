import { spawn } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildService, builtEntry } from './build-service.ts';
import { COMMAND_FLAGS } from './node-flags.ts';
import { temporaryMemory } from './temporary-memory.ts';
import { withSources } from './test-frames.ts';
import { END_OF_FILE, groupsOf } from './test-groups.ts';
import { writeOut } from './write-out.ts';

/**
 * Runs every test file, or those whose path holds one of the arguments, a few in each process, and
 * ends with the line `N passed, N failed`. They run bundled, as the service does: each process, and
 * each log that a test starts, would read and compile every source anew. A file that runs no test has failed: uvu reports a
 * forgotten `.run()` as success.
 */

interface FileResult {
  readonly passed: number;
  readonly failed: number;
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LONGEST_FILE_MS = 300_000;
const RUNS_FILES = 'scripts/test-files.ts';
// Of its own: another run beside this one may be of other sources.
const BUILT = `dist.tests-${process.pid}`;
const BUNDLES = dirname(builtEntry(BUILT, RUNS_FILES));
// Where somebody wants them else, they go there.
process.env['TMPDIR'] ??= temporaryMemory() ?? tmpdir();

const results: FileResult[] = [];

/**
 * Runs files in one process and tells of each when it has ended.
 * @returns the files that are left when one of them took the process with it
 */
const runGroup = (files: readonly string[]): Promise<readonly string[]> =>
  new Promise((resolve) => {
    const left = [...files];
    const child = spawn(
      process.execPath,
      [...COMMAND_FLAGS, ...[RUNS_FILES, ...files].map((file) => builtEntry(BUILT, file))],
      { cwd: ROOT, env: { ...process.env, FORCE_COLOR: '0' }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let output = '';
    let began = performance.now();
    let timer: NodeJS.Timeout;
    const watch = () => {
      began = performance.now();
      timer = setTimeout(() => {
        output += `\nStopped after ${LONGEST_FILE_MS / 1000} s.\n`;
        child.kill('SIGKILL');
      }, LONGEST_FILE_MS);
    };
    const tell = (printed: string, result: FileResult) => {
      clearTimeout(timer);
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      const { passed, failed } = result;
      results.push(result);
      process.stdout.write(
        `${failed === 0 ? 'ok  ' : 'FAIL'} ${left.shift()}: ${passed} passed, ${failed} failed (${seconds} s)\n`,
      );
      if (failed > 0) process.stdout.write(`${withSources(printed, BUNDLES)}\n`);
    };
    const read = (text: Buffer) => {
      output += text.toString();
      for (;;) {
        const end = output.indexOf(END_OF_FILE);
        // The last one has ended when its process has: it may leave something running.
        if (end === -1 || left.length === 1) return;
        tell(output.slice(0, end), countOf(output.slice(0, end)));
        output = output.slice(end + END_OF_FILE.length);
        watch();
      }
    };
    watch();
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('close', (code) => {
      const { passed, failed } = countOf(output);
      tell(output, { passed, failed: failed === 0 && code !== 0 ? 1 : failed });
      resolve(left);
    });
  });

const countOf = (output: string): FileResult => {
  const total = numberAfter(output, 'Total:');
  const passed = numberAfter(output, 'Passed:');
  return total === 0 ? { passed: 0, failed: 1 } : { passed, failed: total - passed };
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
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)));

// Once, and not by each test that starts a built service or gives a command.
buildService('inherit');
process.once('exit', () => rmSync(join(ROOT, BUILT), { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
buildService('inherit', BUILT, RUNS_FILES, ...files);

const { alone, together } = groupsOf(files);
const waiting = { alone: [...alone], together: [...together] };
const worker = async (_: unknown, place: number): Promise<void> => {
  // One of them takes those that run beside no other of their kind; the others help when they have
  // nothing else to do.
  const [first, then] =
    place === 0 ? [waiting.alone, waiting.together] : [waiting.together, waiting.alone];
  for (;;) {
    const group = first.shift() ?? then.shift();
    if (group === undefined) return;
    const left = await runGroup(group);
    if (left.length > 0) waiting.together.unshift(left);
  }
};
// Many wait for leases and stores more than they compute: one file more than there are cores.
await Promise.all(Array.from({ length: cpus().length + 1 }, worker));

const passed = results.reduce((sum, result) => sum + result.passed, 0);
const failed = results.reduce((sum, result) => sum + result.failed, 0);
await writeOut(process.stdout, `${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 && results.length > 0 ? 0 : 1);
