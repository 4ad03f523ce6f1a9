import { type ChildProcess, execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildService, builtEntry } from '../../scripts/build-service.ts';
import { COMMAND_FLAGS } from '../../scripts/node-flags.ts';
import { writeOut } from '../../scripts/write-out.ts';
import { makeStartedCluster } from '../harness/cluster-template.ts';
import { BrowserMissing, findChromium, isInBrowser } from '../harness/find-chromium.ts';
import { cpuOfTree } from '../harness/process-usage.ts';
import { MS_IN_SECOND } from '../harness/units.ts';
import { checkBudget, describeBudget } from './check-budget.ts';
import { withSources } from './map-stack-traces.ts';
import { openRunDirectory, temporaryMemory } from './run-directory.ts';
import { type FileResult, runWorker } from './run-worker.ts';
import { type RunKind, selectFiles, sortLongestFirst, startsServices } from './select-files.ts';

/**
 * Runs test files, or those whose path holds one of the arguments, and ends with the line
 * `N passed, N failed`. `--quick` runs those that start no service; `--long` runs what takes long: the
 * files `*.long.test.ts`, and all input of the properties; `--release` the files
 * `*.release.test.ts`. They run bundled, as the service does: each process would read and compile every source again. With `--save-times`, what each
 * file took becomes the order of later runs, and their budget.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TIMES = join(ROOT, 'test', 'runner', 'test-times.json');
const WORKER = 'test/runner/worker.ts';
// Its own: another run at the same time may be of other sources.
const BUILT = `dist.tests-${process.pid}`;
const BUNDLES = dirname(builtEntry(BUILT, WORKER));
// A TMPDIR that is set is used.
const SHARED = process.env['TMPDIR'] ?? temporaryMemory() ?? tmpdir();
const MAX_SEED = 0x7fff_ffff;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean' },
    long: { type: 'boolean' },
    release: { type: 'boolean' },
    seed: { type: 'string' },
    'save-times': { type: 'boolean' },
  },
});
const kind: RunKind = (['quick', 'long', 'release'] as const).find((one) => values[one]) ?? 'all';

/** The same for every run of a commit, so that what fails once fails again; another one in each long run. */
const chooseSeed = (): string => {
  if (kind === 'long') return String(randomInt(MAX_SEED));
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, stdio: 'pipe' });
    return String(Number.parseInt(commit.toString().slice(0, 7), 16));
  } catch {
    return '0'; // There is no git, or no history.
  }
};

const files = selectFiles(
  readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.test\.tsx?$/.test(file) && !file.includes('node_modules'))
    .map((file) => join('test', file)),
  kind,
  positionals,
  (file) => readFileSync(join(ROOT, file), 'utf8'),
);

if (files.some(isInBrowser))
  await findChromium().catch((error: unknown) => {
    if (!(error instanceof BrowserMissing)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });

const run = openRunDirectory(SHARED);
const gallery = join(run.path, 'gallery');
mkdirSync(gallery);
const seed = values.seed ?? chooseSeed();
Object.assign(process.env, {
  TMPDIR: run.path,
  SHARED_TMPDIR: SHARED,
  GALLERY_SEEN: gallery,
  TEST_SEED: seed,
  TEST_LONG: kind === 'long' ? '1' : '',
});
const running = new Set<ChildProcess>();
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
buildService('inherit', BUILT, WORKER, ...files);
if (files.some(startsServices)) await makeStartedCluster(join(run.path, 'started-cluster'));

const results: FileResult[] = [];
const printResult = (result: FileResult): void => {
  const { file, passed, failed, seconds, cpuSeconds, printed } = result;
  results.push(result);
  process.stdout.write(
    `${failed === 0 ? 'ok  ' : 'FAIL'} ${file}: ${passed} passed, ${failed} failed (${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of processors)\n`,
  );
  if (failed > 0) process.stdout.write(`${withSources(printed, BUNDLES)}\n`);
};

const recorded = JSON.parse(readFileSync(TIMES, 'utf8'));
const waiting = [...sortLongestFirst(files, recorded)];
const workFiles = async (): Promise<void> => {
  while (waiting.length > 0)
    await runWorker(() => waiting.shift(), {
      command: [...COMMAND_FLAGS, builtEntry(BUILT, WORKER)],
      cwd: ROOT,
      bundleOf: (file) => builtEntry(BUILT, file),
      onStart(child) {
        running.add(child);
        child.once('exit', () => running.delete(child));
      },
      onResult: printResult,
    });
};
// Many wait for leases and stores more than they compute. Each takes about a gigabyte.
const workers = Math.min(cpus().length * 2, files.length);
await Promise.all(Array.from({ length: workers }, workFiles));

const LISTED_FILES = 5;

if (values['save-times'])
  writeFileSync(
    TIMES,
    `${JSON.stringify(
      Object.fromEntries(
        results
          .map(({ file, cpuSeconds }) => [file, Number(cpuSeconds.toFixed(1))] as const)
          // The others take no time worth an order.
          .filter(([file, seconds]) => startsServices(file) || seconds > 0)
          .toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ),
      null,
      2,
    )}\n`,
  );

// A part of the suite says too little about the pace of the machine.
const isWhole = kind === 'all' && positionals.length === 0 && !values['save-times'];
const budget = isWhole
  ? checkBudget(
      Object.fromEntries(results.map(({ file, cpuSeconds }) => [file, cpuSeconds])),
      recorded,
    )
  : null;
const { text: budgetText, isOver } = budget ? describeBudget(budget) : { text: '', isOver: false };
const longest = results
  .toSorted((a, b) => b.cpuSeconds - a.cpuSeconds)
  .slice(0, LISTED_FILES)
  .map(({ file, cpuSeconds }) => `  ${cpuSeconds.toFixed(1)} s ${file}\n`);
const passed = results.reduce((sum, result) => sum + result.passed, 0);
const failed = results.reduce((sum, result) => sum + result.failed, 0);
await writeOut(
  process.stdout,
  [
    `The longest:\n${longest.join('')}`,
    `${(cpuOfTree(process.pid) / MS_IN_SECOND).toFixed(0)} s of processors, ${process.uptime().toFixed(0)} s in all\n`,
    budgetText,
    `Random input of seed ${seed}: repeat it with --seed ${seed}\n`,
    `${passed} passed, ${failed} failed\n`,
  ].join(''),
);
process.exit(failed === 0 && results.length > 0 && !isOver ? 0 : 1);
