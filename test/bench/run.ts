import type { StdioOptions } from 'node:child_process';
import { buildService } from '../../scripts/build-service.ts';
import { showProgress } from '../../scripts/show-progress.ts';
import { chosenGroups } from '../harness/parse-groups.ts';
import { installYardsticks } from './baselines.ts';
import { compareTrees } from './compare.ts';
import { measureBackPressure } from './figures/back-pressure.ts';
import { measureDoor } from './figures/door.ts';
import { measureFairness } from './figures/fairness.ts';
import { measureGrowth } from './figures/growth.ts';
import { measureHostile } from './figures/hostile.ts';
import { measureIdle } from './figures/idle.ts';
import { measureLargeBatch } from './figures/large-batch.ts';
import { measureLatency } from './figures/latency.ts';
import { measureLeak } from './figures/leak.ts';
import { measurePagesFigures } from './figures/pages.ts';
import { measureProof } from './figures/proof.ts';
import { measurePushCost } from './figures/push-cost.ts';
import { measureStart } from './figures/start.ts';
import { measureStored } from './figures/stored.ts';
import { measureThroughput } from './figures/throughput.ts';
import { isMissed, type MeasuredFigure, printFigures } from './report.ts';

/**
 * Measures the service against what a user would write otherwise, on this machine, side by side:
 * everything is started anew on throw-away directories and the loopback. Prints a table and JSON;
 * exits 1 when a wanted figure is missed or could not be measured, 2 for wrong usage. With `--compare`
 * it runs another tree and this one in turn, and prints what this one gains.
 * @see docs/performance.md
 */

const GROUPS: Readonly<Record<string, () => Promise<readonly MeasuredFigure[]>>> = {
  door: measureDoor,
  throughput: measureThroughput,
  stored: measureStored,
  'push-cost': measurePushCost,
  latency: measureLatency,
  'large-batch': measureLargeBatch,
  fairness: measureFairness,
  'back-pressure': measureBackPressure,
  start: measureStart,
  idle: measureIdle,
  pages: measurePagesFigures,
  growth: measureGrowth,
  proof: measureProof,
  leak: measureLeak,
  hostile: measureHostile,
};

const bench = async (wanted: readonly string[], isQuiet: boolean): Promise<void> => {
  // What is printed is the figures, and nothing else.
  const stdio: StdioOptions = ['ignore', 2, 'inherit'];
  installYardsticks(stdio);
  buildService(stdio);
  const figures: MeasuredFigure[] = [];
  const shown = showProgress(process.stderr, isQuiet);
  const groups = Object.entries(GROUPS).filter(([name]) => wanted.includes(name));
  const total = groups.length;
  const reached = (done: number) =>
    shown.progress({ work: 'Benchmarks', done, total, unit: 'groups', isEstimate: false });
  for (const [index, [name, measure]] of groups.entries()) {
    const began = performance.now();
    shown.report(`Measuring: ${name}`);
    reached(index);
    try {
      figures.push(...(await measure()));
    } catch (error) {
      // The others are worth measuring none the less.
      shown.report(`${name} could not be measured: ${String(error)}`);
      process.exitCode = 1;
    }
    const seconds = ((performance.now() - began) / 1_000).toFixed(0);
    shown.report(`Measured: ${name}, ${seconds} s`);
  }
  shown.end();
  printFigures(figures);
  if (figures.some(isMissed)) process.exitCode = 1;
};

// Ends what it has started, too.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const { chosen, values } = chosenGroups(
  'npm run bench -- [--quick] [--quiet] [--only GROUP …] [--compare DIRECTORY]',
  Object.keys(GROUPS),
  // `--quick` is read where the counts are.
  {
    quick: { type: 'boolean' },
    quiet: { type: 'boolean' },
    compare: { type: 'string' },
  },
);
const isQuiet = values['quiet'] === true;
const { compare } = values;
if (typeof compare === 'string')
  await compareTrees(
    compare,
    [
      ...chosen.flatMap((group) => ['--only', group]),
      ...(values['quick'] === true ? ['--quick'] : []),
    ],
    isQuiet,
  ).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  });
else await bench(chosen, isQuiet);
process.exit();
