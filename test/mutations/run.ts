import { execFile, execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { buildService } from '../../scripts/build-service.ts';
import { makeStartedCluster } from '../harness/cluster-template.ts';
import { cpuOfTree } from '../harness/process-usage.ts';
import { MS_IN_SECOND } from '../harness/units.ts';
import { findSights } from '../runner/import-graph.ts';
import { sortNearestFirst, takeWithin } from '../runner/nearest-first.ts';
import type { FileResult } from '../runner/run-worker.ts';
import { selectFiles, startsServices } from '../runner/select-files.ts';
import { listTestFiles, openTestRun, ROOT, SERVICES, TIMES, WORKER } from '../runner/test-run.ts';
import { drawPlaces, MUTATION_SEED } from './draw-places.ts';
import {
  ESCAPED,
  findRegressions,
  type Mutation,
  NOT_APPLIED,
  type Outcome,
  readMutations,
} from './patches.ts';

/**
 * Applies each mutation, or those whose name has one of the arguments, to a copy of the project, and
 * runs the tests that can see it until one fails. Ends with the line `N caught, M escaped`, and fails if
 * one escapes that was caught before. `--nearest` runs only the nearest tests of each, and `--tests WORD`
 * those whose path has the word; `--save` keeps the outcomes; `--draw` prints the lines that the mutations
 * stand at.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    nearest: { type: 'boolean' },
    tests: { type: 'string', multiple: true },
    save: { type: 'boolean' },
    draw: { type: 'boolean' },
    seed: { type: 'string' },
  },
});

if (values.draw) {
  for (const { area, file, line, text } of drawPlaces(ROOT, values.seed ?? MUTATION_SEED))
    process.stdout.write(`${area} ${file}:${line} ${text}\n`);
  process.exit();
}

const PATCHES = join(ROOT, 'test', 'mutations');
const OUTCOMES = join(PATCHES, 'outcomes.json');
const BUILT = 'dist.tests';
const isWhole = values.tests === undefined;
const CONCURRENT_TREES = 2;
/** Processor time of the tests that are near, by what they took before. */
const NEAR_SECONDS = 30;

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const expected: Record<string, Outcome> = existsSync(OUTCOMES) ? readJson(OUTCOMES) : {};
const seconds: Readonly<Record<string, number>> = readJson(TIMES);
const mutations = readMutations(PATCHES, positionals);
const files = selectFiles(listTestFiles(), 'all', [], (file) =>
  readFileSync(join(ROOT, file), 'utf8'),
);

buildService('inherit');
const run = openTestRun(`dist.mutations-${process.pid}`, { TEST_SEED: '0', TEST_LONG: '' });
await makeStartedCluster(join(run.path, 'started-cluster'));

/** Copies the project, without what is ignored. */
const copyTree = (name: string): string => {
  const tree = join(run.path, name);
  const listed = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], { cwd: ROOT });
  for (const file of listed.toString().split('\0')) {
    if (file === '' || !existsSync(join(ROOT, file))) continue;
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    copyFileSync(join(ROOT, file), join(tree, file));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
  return tree;
};

const build = async (tree: string, built: readonly string[]): Promise<void> => {
  // A build of the same sources would be kept, whatever its entries.
  rmSync(join(tree, BUILT), { recursive: true, force: true });
  const service = built.some(startsServices) ? [[]] : [];
  for (const entries of [...service, [BUILT, WORKER, ...built]])
    await promisify(execFile)(process.execPath, ['scripts/run.mjs', '--build-only', ...entries], {
      cwd: tree,
    });
};

const apply = (tree: string, mutation: Mutation, ...flags: readonly string[]): boolean => {
  try {
    execFileSync('git', ['apply', ...flags, mutation.path], {
      cwd: tree,
      stdio: 'pipe',
      // The copy is no repository, and one that it may lie in is none of its business.
      env: { ...process.env, GIT_CEILING_DIRECTORIES: run.path },
    });
    return true;
  } catch {
    return false;
  }
};

const clean = copyTree('clean');
await build(clean, files);
const sights = await findSights(ROOT, files, SERVICES);

const cleanRuns = new Map<string, Promise<boolean>>();

/** Whether a file passes without any mutation: what fails there as well has caught nothing. */
const isGreenOnClean = (file: string): Promise<boolean> => {
  const known = cleanRuns.get(file);
  if (known !== undefined) return known;
  let isGreen = false;
  const first = run
    .runFiles(
      [file],
      ({ failed }) => {
        isGreen = failed === 0;
      },
      { builtIn: BUILT, workers: 1, cwd: clean },
    )
    .then(() => isGreen);
  cleanRuns.set(file, first);
  return first;
};

/** Runs files in a tree until one fails that passes without its mutations. */
const findCatcher = async (tree: string, order: readonly string[]): Promise<Outcome> => {
  let left = [...order];
  while (left.length > 0) {
    const waiting = left;
    left = [];
    let failing: FileResult | null = null as FileResult | null;
    await run.runFiles(
      waiting,
      (result) => {
        if (result.failed === 0) return;
        failing = result;
        left = waiting.splice(0);
      },
      { builtIn: BUILT, workers: 1, cwd: tree },
    );
    if (failing === null) return ESCAPED;
    if (await isGreenOnClean(failing.file)) return describe(failing);
  }
  return ESCAPED;
};

const FAILED_ROW = /FAIL +(.+?)\s*\n/;
const describe = ({ file, printed }: FileResult): Outcome => {
  const row = FAILED_ROW.exec(printed)?.[1]?.replaceAll(/\s+/g, ' ');
  return row === undefined ? `${file} (ended early)` : `${file} ${row}`;
};

/** Test files that can see a mutation: first the one that caught it before, then the nearest. */
const sortFiles = (mutation: Mutation): readonly string[] => {
  const [before] = (expected[mutation.name] ?? '').split(' ');
  const sorted = sortNearestFirst(sights, () => mutation.files, seconds);
  return [...new Set([...sorted.filter((file) => file === before), ...sorted])];
};

const found: Record<string, Outcome> = {};
const saveOutcomes = (): void => {
  // A part of the tests says nothing about the others.
  const known = Object.entries(found).filter(([, outcome]) => isWhole || outcome !== ESCAPED);
  const outcomes = Object.entries({ ...expected, ...Object.fromEntries(known) });
  const sorted = outcomes.toSorted(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(OUTCOMES, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
};

const note = ({ name }: Mutation, outcome: Outcome, began: number): void => {
  found[name] = outcome;
  if (values.save) saveOutcomes();
  const took = ((performance.now() - began) / MS_IN_SECOND).toFixed(0);
  process.stdout.write(
    `${name}: ${/^(ESCAPED|DOES)/.test(outcome) ? outcome : `caught by ${outcome}`} (${took} s)\n`,
  );
};

const tryIn = async (
  tree: string,
  mutation: Mutation,
  order: readonly string[],
): Promise<Outcome> => {
  if (!apply(tree, mutation)) return NOT_APPLIED;
  let outcome = ESCAPED;
  // Many are caught before anything has to start.
  for (const isStarting of [false, true]) {
    const some = order.filter((file) => startsServices(file) === isStarting);
    if (outcome !== ESCAPED || some.length === 0) continue;
    await build(tree, some);
    outcome = await findCatcher(tree, some);
  }
  apply(tree, mutation, '--reverse');
  return outcome;
};

/** Of the files that can see a mutation, in order, those that it is tried with alone. */
const selectTried = (order: readonly string[]): readonly string[] => {
  const { tests } = values;
  return tests === undefined
    ? takeWithin(order, NEAR_SECONDS, seconds)
    : order.filter((file) => tests.some((word) => file.includes(word)));
};

const waiting = [...mutations];
const workTree = async (tree: string): Promise<void> => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const began = performance.now();
    const order = sortFiles(next);
    note(next, await tryIn(tree, next, selectTried(order)), began);
  }
};
const trees = Array.from({ length: CONCURRENT_TREES }, (_, index) => copyTree(`tree-${index}`));
await Promise.all(trees.map(workTree));

const [together = '', alone = ''] = trees;
const escaped = mutations.filter(({ name }) => found[name] === ESCAPED);

/** Runs everything else that can see what escaped, with all of it applied, and then each failing file with each alone. */
const runRest = async (): Promise<void> => {
  const began = performance.now();
  const applied = escaped.filter((mutation) => apply(together, mutation));
  const rests = new Map(
    applied.map((mutation) => {
      const order = sortFiles(mutation);
      const near = new Set(takeWithin(order, NEAR_SECONDS, seconds));
      return [mutation, new Set(order.filter((file) => !near.has(file)))];
    }),
  );
  const left = files.filter((file) => [...rests.values()].some((rest) => rest.has(file)));
  await build(together, left);
  const failing: string[] = [];
  await run.runFiles(
    left,
    ({ file, failed }) => {
      if (failed > 0) failing.push(file);
    },
    { builtIn: BUILT, workers: CONCURRENT_TREES, cwd: together },
  );
  for (const file of failing) {
    if (!(await isGreenOnClean(file))) continue;
    for (const [mutation, rest] of rests)
      if (found[mutation.name] === ESCAPED && rest.has(file)) {
        const outcome = await tryIn(alone, mutation, [file]);
        if (outcome !== ESCAPED) note(mutation, outcome, began);
      }
  }
};
if (escaped.length > 0 && !values.nearest && isWhole) await runRest();

const regressions = findRegressions(isWhole ? expected : {}, found);
for (const name of regressions)
  process.stdout.write(`${name}: ${found[name]}, caught before by ${expected[name] ?? 'nobody'}\n`);
const isCaught = (outcome: Outcome): boolean => outcome !== ESCAPED && outcome !== NOT_APPLIED;
const caught = Object.values(found).filter(isCaught).length;
process.stdout.write(
  `${(cpuOfTree(process.pid) / MS_IN_SECOND).toFixed(0)} s of processors, ${process.uptime().toFixed(0)} s in all\n` +
    `${caught} caught, ${Object.keys(found).length - caught} escaped\n`,
);
process.exit(regressions.length === 0 && mutations.length > 0 ? 0 : 1);
