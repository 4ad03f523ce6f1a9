import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { buildService } from './build-service.ts';
import { tortureByFullDisk } from './torture/disk-full.ts';
import { hostileInput } from './torture/hostile-input/hostile-input.ts';
import { tortureByKills } from './torture/kills.ts';
import { tortureByOutages } from './torture/outages.ts';
import { tortureByPipelining } from './torture/pipelining/pipelining.ts';
import { tortureProcesses } from './torture/processes.ts';
import { tortureByRolling } from './torture/rolling.ts';
import type { Torture } from './torture/torture.ts';

/**
 * Tries to break the service, as a fault or an attacker would. Prints what was done and what came
 * of it, and as its last line the same as JSON; exits 1 when something happened that never should,
 * 2 for wrong usage. A run with the seed that it prints does the same again.
 * @see docs/reliability.md
 */

const EXIT_WRONG_USAGE = 2;

const GROUPS: Readonly<Record<string, Torture>> = {
  kills: tortureByKills,
  outages: tortureByOutages,
  processes: tortureProcesses,
  rolling: tortureByRolling,
  'disk-full': tortureByFullDisk,
  'hostile-input': hostileInput,
  pipelining: tortureByPipelining,
};

const wanted = () => {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string', multiple: true },
        seed: { type: 'string' },
        quick: { type: 'boolean' },
      },
    });
    const unknown = values.only?.find((name) => !Object.hasOwn(GROUPS, name));
    if (unknown !== undefined)
      throw new Error(`There is no group ${unknown}: choose one of those below.`);
    return {
      groups: values.only ?? Object.keys(GROUPS),
      seed: values.seed ?? randomUUID(),
      isQuick: values.quick ?? false,
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    process.stderr.write(
      `${reason}\nUsage: npm run torture -- [--quick] [--seed SEED] [--only GROUP …]\nGroups: ${Object.keys(GROUPS).join(', ')}\n`,
    );
    process.exit(EXIT_WRONG_USAGE);
  }
};

const torture = async ({ groups, seed, isQuick }: ReturnType<typeof wanted>): Promise<void> => {
  buildService(['ignore', 2, 'inherit']);
  const report = (line: string) => void process.stderr.write(`${line}\n`);
  const results: object[] = [];
  for (const group of groups) {
    const run = GROUPS[group];
    if (run === undefined) continue;
    const began = performance.now();
    const { counts, faults } = await run({ seed, isQuick, report });
    const seconds = Math.round((performance.now() - began) / 1_000);
    results.push({ group, seconds, counts, faults });
    const done = Object.entries(counts).map(([what, count]) => `${what} ${count}`);
    console.log(`${group}: ${done.join(', ')}, ${seconds} s, ${faults.length} faults`);
    for (const fault of faults) console.log(`  ${fault}`);
    if (faults.length > 0) process.exitCode = 1;
  }
  console.log(JSON.stringify({ seed, results }));
};

// Ends what it has started, too.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
await torture(wanted());
process.exit();
