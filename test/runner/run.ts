import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildService, builtEntry } from '../../scripts/build-service.ts';
import { writeOut } from '../../scripts/write-out.ts';
import { makeStartedCluster } from '../harness/cluster-template.ts';
import { BrowserMissing, findChromium, isInBrowser } from '../harness/find-chromium.ts';
import { cpuOfTree } from '../harness/process-usage.ts';
import { MS_IN_SECOND } from '../harness/units.ts';
import { checkBudget, describeBudget } from './check-budget.ts';
import { chooseChanged, describeChange } from './choose-changed.ts';
import { listUncommitted, readGreen, saveGreen, takeSnapshot } from './green-runs.ts';
import { findSights } from './import-graph.ts';
import { withSources } from './map-stack-traces.ts';
import type { FileResult } from './run-worker.ts';
import { type RunKind, selectFiles, sortLongestFirst, startsServices } from './select-files.ts';
import { listTestFiles, openTestRun, ROOT, SERVICES, TIMES, WORKER } from './test-run.ts';

/**
 * Runs test files, or those whose path holds one of the arguments, and ends with the line
 * `N passed, N failed`. `--quick` runs those that start no service; `--long` runs what takes long: the
 * files `*.long.test.ts`, and all input of the properties; `--release` the files
 * `*.release.test.ts`; `--changed` the nearest of those that can see what has changed since they passed.
 * They run bundled, as the service does: each process would read and compile every source again. With
 * `--save-times`, what each file took becomes the order of later runs, and their budget.
 */

// Its own: another run at the same time may be of other sources.
const BUILT = `dist.tests-${process.pid}`;
const BUNDLES = dirname(builtEntry(BUILT, WORKER));
const MAX_SEED = 0x7fff_ffff;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean' },
    long: { type: 'boolean' },
    release: { type: 'boolean' },
    changed: { type: 'boolean' },
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

const selected = selectFiles(listTestFiles(), kind, positionals, (file) =>
  readFileSync(join(ROOT, file), 'utf8'),
);
const recorded = JSON.parse(readFileSync(TIMES, 'utf8'));
const snapshot = takeSnapshot(ROOT);
const change = values.changed
  ? chooseChanged(
      await findSights(ROOT, selected, SERVICES),
      { green: readGreen(ROOT), now: snapshot, uncommitted: listUncommitted(ROOT) },
      recorded,
    )
  : null;
const files = change?.files ?? selected;

if (files.some(isInBrowser))
  await findChromium().catch((error: unknown) => {
    if (!(error instanceof BrowserMissing)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });

const seed = values.seed ?? chooseSeed();
const run = openTestRun(BUILT, { TEST_SEED: seed, TEST_LONG: kind === 'long' ? '1' : '' });

// Once, and not by each test that starts a built service or gives a command.
if (files.length > 0) {
  buildService('inherit');
  buildService('inherit', BUILT, WORKER, ...files);
}
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

const waiting = [...(change?.files ?? sortLongestFirst(files, recorded))];
// Many wait for leases and stores more than they compute. Each takes about a gigabyte.
const workers = Math.min(cpus().length * 2, files.length);
await run.runFiles(waiting, printResult, { builtIn: BUILT, workers });
saveGreen(
  ROOT,
  results.filter(({ failed }) => failed === 0).map(({ file }) => file),
  snapshot,
);

const LISTED_FILES = 5;

/** Names them, and counts them apart: they have neither passed nor failed. */
const describeSkipped = (rows: readonly string[]): string =>
  rows.length === 0 ? '' : `${rows.join('\n')}\n${rows.length} skipped\n`;

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
const isWhole =
  kind === 'all' && positionals.length === 0 && change === null && !values['save-times'];
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
    describeSkipped(results.flatMap(({ skipped }) => skipped)),
    `${passed} passed, ${failed} failed\n`,
    change === null ? '' : describeChange(change),
  ].join(''),
);
const hasRun = results.length > 0 || change !== null;
process.exit(failed === 0 && hasRun && !isOver ? 0 : 1);
