import { randomUUID } from 'node:crypto';
import { buildService } from '../../scripts/build-service.ts';
import { chosenGroups } from '../harness/parse-groups.ts';
import type { ChaosGroup, ChaosOptions } from './chaos.ts';
import { runFullDisk } from './disk-full.ts';
import { runHostileInput } from './hostile-input/hostile-input.ts';
import { runHostileLoad } from './hostile-load.ts';
import { runKills } from './kills.ts';
import { runProcesses } from './lost-processes.ts';
import { runOutages } from './outages.ts';
import { runPipelining } from './pipelining/pipelining.ts';
import { runRolling } from './rolling.ts';
import { runStrangers } from './strangers/strangers.ts';

/**
 * Tries to break the service, as a fault or an attacker would. Prints what was done and what came
 * of it, and as its last line the same as JSON; exits 1 when something happened that never should,
 * 2 for wrong usage. A run with the seed that it prints does the same again; a finding of
 * `hostile-input` also has a path, which repeats that input alone.
 * @see docs/reliability.md
 */

const GROUPS: Readonly<Record<string, ChaosGroup>> = {
  kills: runKills,
  outages: runOutages,
  processes: runProcesses,
  rolling: runRolling,
  'disk-full': runFullDisk,
  'hostile-input': runHostileInput,
  'hostile-load': runHostileLoad,
  pipelining: runPipelining,
  strangers: runStrangers,
};

const runGroups = async (groups: readonly string[], options: ChaosOptions): Promise<void> => {
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
  'npm run chaos -- [--quick] [--seed SEED] [--path TASK@PATH] [--only GROUP …]',
  Object.keys(GROUPS),
  { quick: { type: 'boolean' }, seed: { type: 'string' }, path: { type: 'string' } },
);
await runGroups(chosen, {
  seed: typeof values['seed'] === 'string' ? values['seed'] : randomUUID(),
  path: typeof values['path'] === 'string' ? values['path'] : null,
  isQuick: values['quick'] === true,
  report: (line) => void process.stderr.write(`${line}\n`),
});
process.exit();
