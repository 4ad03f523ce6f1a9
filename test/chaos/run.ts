import { randomUUID } from 'node:crypto';
import { buildService } from '../../scripts/build-service.ts';
import { chosenGroups } from '../harness/parse-groups.ts';
import type { Torture, TortureOptions } from './chaos.ts';
import { tortureByFullDisk } from './disk-full.ts';
import { hostileInput } from './hostile-input/hostile-input.ts';
import { tortureByKills } from './kills.ts';
import { tortureByOutages } from './outages.ts';
import { tortureByPipelining } from './pipelining/pipelining.ts';
import { tortureProcesses } from './processes.ts';
import { tortureByRolling } from './rolling.ts';
import { tortureByStrangers } from './strangers/strangers.ts';

/**
 * Tries to break the service, as a fault or an attacker would. Prints what was done and what came
 * of it, and as its last line the same as JSON; exits 1 when something happened that never should,
 * 2 for wrong usage. A run with the seed that it prints does the same again.
 * @see docs/reliability.md
 */

const GROUPS: Readonly<Record<string, Torture>> = {
  kills: tortureByKills,
  outages: tortureByOutages,
  processes: tortureProcesses,
  rolling: tortureByRolling,
  'disk-full': tortureByFullDisk,
  'hostile-input': hostileInput,
  pipelining: tortureByPipelining,
  strangers: tortureByStrangers,
};

const torture = async (groups: readonly string[], options: TortureOptions): Promise<void> => {
  buildService(['ignore', 2, 'inherit']);
  const results: object[] = [];
  for (const group of groups) {
    const run = GROUPS[group];
    if (run === undefined) continue;
    const began = performance.now();
    const { counts, faults } = await run(options);
    const seconds = Math.round((performance.now() - began) / 1_000);
    results.push({ group, seconds, counts, faults });
    const done = Object.entries(counts).map(([what, count]) => `${what} ${count}`);
    console.log(`${group}: ${done.join(', ')}, ${seconds} s, ${faults.length} faults`);
    for (const fault of faults) console.log(`  ${fault}`);
    if (faults.length > 0) process.exitCode = 1;
  }
  console.log(JSON.stringify({ seed: options.seed, results }));
};

// Ends what it has started, too.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const { chosen, values } = chosenGroups(
  'npm run torture -- [--quick] [--seed SEED] [--only GROUP …]',
  Object.keys(GROUPS),
  { quick: { type: 'boolean' }, seed: { type: 'string' } },
);
await torture(chosen, {
  seed: typeof values['seed'] === 'string' ? values['seed'] : randomUUID(),
  isQuick: values['quick'] === true,
  report: (line) => void process.stderr.write(`${line}\n`),
});
process.exit();
