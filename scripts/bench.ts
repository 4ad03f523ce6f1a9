import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureDoor } from './bench/figures/door.ts';
import { measureThroughput } from './bench/figures/throughput.ts';
import { isMissed, type MeasuredFigure, printFigures } from './bench/report.ts';

/**
 * Measures the service against what a user would write otherwise, on this machine, side by side:
 * everything is started anew on throw-away directories and the loopback. Prints a table and JSON;
 * exits 1 when a wanted figure is missed. `--only NAME` measures one group.
 */

const YARDSTICKS = fileURLToPath(new URL('./bench/yardsticks', import.meta.url));

const GROUPS: Readonly<Record<string, () => Promise<readonly MeasuredFigure[]>>> = {
  door: measureDoor,
  throughput: measureThroughput,
};

const { values: wanted } = parseArgs({ options: { only: { type: 'string', multiple: true } } });

const bench = async (): Promise<void> => {
  if (!existsSync(`${YARDSTICKS}/node_modules`))
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: YARDSTICKS, stdio: 'inherit' });
  execFileSync(process.execPath, ['scripts/run.mjs', '--build-only'], { stdio: 'inherit' });
  const figures: MeasuredFigure[] = [];
  for (const [name, measure] of Object.entries(GROUPS)) {
    if (wanted.only !== undefined && !wanted.only.includes(name)) continue;
    process.stderr.write(`Measuring: ${name}\n`);
    figures.push(...(await measure()));
  }
  printFigures(figures);
  if (figures.some(isMissed)) process.exitCode = 1;
};

await bench();
process.exit();
