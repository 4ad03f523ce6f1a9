import type { StdioOptions } from 'node:child_process';
import { parseArgs } from 'node:util';
import { measureBackPressure } from './bench/figures/back-pressure.ts';
import { measureDoor } from './bench/figures/door.ts';
import { measureFairness } from './bench/figures/fairness.ts';
import { measureGrowth } from './bench/figures/growth.ts';
import { measureLargeBatch } from './bench/figures/large-batch.ts';
import { measureLatency } from './bench/figures/latency.ts';
import { measureLeak } from './bench/figures/leak.ts';
import { measurePagesFigures } from './bench/figures/pages.ts';
import { measureStart } from './bench/figures/start.ts';
import { measureStored } from './bench/figures/stored.ts';
import { measureThroughput } from './bench/figures/throughput.ts';
import { installYardsticks } from './bench/install-yardsticks.ts';
import { isMissed, type MeasuredFigure, printFigures } from './bench/report.ts';
import { buildService } from './build-service.ts';

/**
 * Measures the service against what a user would write otherwise, on this machine, side by side:
 * everything is started anew on throw-away directories and the loopback. Prints a table and JSON;
 * exits 1 when a wanted figure is missed or could not be measured, 2 for wrong usage.
 * @see docs/performance.md
 */

const EXIT_WRONG_USAGE = 2;

const GROUPS: Readonly<Record<string, () => Promise<readonly MeasuredFigure[]>>> = {
  door: measureDoor,
  throughput: measureThroughput,
  stored: measureStored,
  latency: measureLatency,
  'large-batch': measureLargeBatch,
  fairness: measureFairness,
  'back-pressure': measureBackPressure,
  start: measureStart,
  pages: measurePagesFigures,
  growth: measureGrowth,
  leak: measureLeak,
};

const wantedGroups = (): readonly string[] => {
  try {
    const { values } = parseArgs({
      // `--quick` is read where the counts are.
      options: { only: { type: 'string', multiple: true }, quick: { type: 'boolean' } },
    });
    const unknown = values.only?.find((name) => !Object.hasOwn(GROUPS, name));
    if (unknown !== undefined)
      throw new Error(`There is no group ${unknown}: choose one of those below.`);
    return values.only ?? Object.keys(GROUPS);
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    process.stderr.write(
      `${reason}\nUsage: npm run bench -- [--quick] [--only GROUP …]\nGroups: ${Object.keys(GROUPS).join(', ')}\n`,
    );
    process.exit(EXIT_WRONG_USAGE);
  }
};

const bench = async (wanted: readonly string[]): Promise<void> => {
  // What is printed is the figures, and nothing else.
  const stdio: StdioOptions = ['ignore', 2, 'inherit'];
  installYardsticks(stdio);
  buildService(stdio);
  const figures: MeasuredFigure[] = [];
  for (const [name, measure] of Object.entries(GROUPS)) {
    if (!wanted.includes(name)) continue;
    const began = performance.now();
    process.stderr.write(`Measuring: ${name}\n`);
    try {
      figures.push(...(await measure()));
    } catch (error) {
      // The others are worth measuring none the less.
      process.stderr.write(`${name} could not be measured: ${String(error)}\n`);
      process.exitCode = 1;
    }
    const seconds = ((performance.now() - began) / 1_000).toFixed(0);
    process.stderr.write(`Measured: ${name}, ${seconds} s\n`);
  }
  printFigures(figures);
  if (figures.some(isMissed)) process.exitCode = 1;
};

// Ends what it has started, too.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
await bench(wantedGroups());
process.exit();
