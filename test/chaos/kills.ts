import { setTimeout as sleep } from 'node:timers/promises';
import { type ChaosGroup, runUnderLoad } from './chaos.ts';
import type { Victim } from './restartable-service.ts';

const ROUNDS = { full: 100, quick: 5 };
const MIN_LIFE_MS = 200;
const MAX_LIFE_MS = 2_500;
const VICTIMS = [
  ['service', 5],
  ['postgres', 3],
  ['node', 3],
] as const;
/** Sometimes two are killed at once. */
const SECOND_VICTIM = 0.15;

/**
 * Kills the service, its Postgres and its event log at random moments under a mixed load. In the
 * end every 202 has a completed receipt, every record is there once and as it was last sent, and
 * the read tables are what a rebuild makes of the log.
 */
export const runKills: ChaosGroup = (options) =>
  runUnderLoad(options, { allowedFailures: 'no-response' }, async ({ service, load, random }) => {
    const rounds = options.isQuick ? ROUNDS.quick : ROUNDS.full;
    for (let round = 1; round <= rounds; round += 1) {
      await sleep(random.whole(MIN_LIFE_MS, MAX_LIFE_MS));
      const victims = new Set<Victim>([random.weighted(VICTIMS)]);
      if (random.chance(SECOND_VICTIM)) victims.add(random.weighted(VICTIMS));
      for (const victim of victims) {
        service.kill(victim);
        load.count(`${victim} killed`);
      }
      await service.ready();
      const killed = [...victims].join(' and ');
      options.report(`Round ${round} of ${rounds}: killed ${killed}, it came back.`);
    }
    return {};
  });
