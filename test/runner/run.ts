import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildService, builtEntry } from '../../scripts/build-service.ts';
import { COMMAND_FLAGS } from '../../scripts/node-flags.ts';
import { writeOut } from '../../scripts/write-out.ts';
import { BrowserMissing, findChromium, isInBrowser } from '../harness/find-chromium.ts';
import { withSources } from './map-stack-traces.ts';
import { openRunDirectory, temporaryMemory } from './run-directory.ts';
import { END_OF_FILE, groupsOf, isQuick } from './test-groups.ts';

/**
 * Runs every test file, or those whose path holds one of the arguments, a few in each process, and
 * ends with the line `N passed, N failed`; with `--quick` only what a person waits for while coding. They
 * run bundled, as the service does: each process, and each log that a test starts, would read and compile
 * every source anew. A file that runs no test has failed: uvu reports a forgotten `.run()` as success.
 */

interface Count {
  readonly passed: number;
  readonly failed: number;
}

interface FileResult extends Count {
  readonly file: string | undefined;
  readonly seconds: number;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** A file that hangs, not one that is slow: on a machine at half its pace some take five minutes. */
const LONGEST_FILE_MS = 600_000;
const QUICK = '--quick';
const RUNS_FILES = 'test/runner/worker.ts';
// Of its own: another run beside this one may be of other sources.
const BUILT = `dist.tests-${process.pid}`;
const BUNDLES = dirname(builtEntry(BUILT, RUNS_FILES));
// A TMPDIR that is set is used.
const SHARED = process.env['TMPDIR'] ?? temporaryMemory() ?? tmpdir();

const results: FileResult[] = [];
const running = new Set<ChildProcess>();

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
    running.add(child);
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
    const tell = (printed: string, { passed, failed }: Count) => {
      clearTimeout(timer);
      const seconds = (performance.now() - began) / 1000;
      const file = left.shift();
      results.push({ file, seconds, passed, failed });
      process.stdout.write(
        `${failed === 0 ? 'ok  ' : 'FAIL'} ${file}: ${passed} passed, ${failed} failed (${seconds.toFixed(1)} s)\n`,
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
      running.delete(child);
      const { passed, failed } = countOf(output);
      tell(output, { passed, failed: failed === 0 && code !== 0 ? 1 : failed });
      resolve(left);
    });
  });

const countOf = (output: string): Count => {
  const total = numberAfter(output, 'Total:');
  const passed = numberAfter(output, 'Passed:');
  return total === 0 ? { passed: 0, failed: 1 } : { passed, failed: total - passed };
};

const numberAfter = (output: string, label: string): number =>
  [...output.matchAll(new RegExp(`${label}\\s+(\\d+)`, 'g'))].reduce(
    (sum, [, digits]) => sum + Number(digits),
    0,
  );

const LONGEST = 5;

/** Where the time went. */
const timesOf = (ran: readonly FileResult[]): string => {
  const longest = ran
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, LONGEST)
    .map(({ file, seconds }) => `  ${seconds.toFixed(1)} s ${file}\n`);
  const processors = processorSeconds();
  return `The longest:\n${longest.join('')}${processors === null ? '' : `${processors.toFixed(0)} s of processors\n`}`;
};

/** What this process and those that it has started have taken; null where Linux does not tell. */
const processorSeconds = (): number | null => {
  try {
    const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ');
    // utime, stime, cutime and cstime in hundredths of a second: proc_pid_stat(5)
    const ticks = fields.split(' ').slice(11, 15).map(Number);
    return ticks.reduce((sum, some) => sum + some, 0) / 100;
  } catch {
    return null;
  }
};

const given = process.argv.slice(2);
const onlyQuick = given.includes(QUICK);
const wanted = given.filter((argument) => argument !== QUICK);
const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.test\.tsx?$/.test(file))
  .map((file) => join('test', file))
  .filter((file) => !onlyQuick || isQuick(file))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)));

if (files.some(isInBrowser))
  await findChromium().catch((error: unknown) => {
    if (!(error instanceof BrowserMissing)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });

const run = openRunDirectory(SHARED);
process.env['TMPDIR'] = run.path;
process.env['SHARED_TMPDIR'] = SHARED;
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  run.close();
  // With the draft of a build that was interrupted.
  for (const name of readdirSync(ROOT))
    if (name === BUILT || name.startsWith(`${BUILT}.`))
      rmSync(join(ROOT, name), { recursive: true, force: true });
});
// A terminal and npm each send the same signal: the handlers stay while the first is handled.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => process.exit(1));

// Once, and not by each test that starts a built service or gives a command.
buildService('inherit');
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
await writeOut(process.stdout, `${timesOf(results)}${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 && results.length > 0 ? 0 : 1);
