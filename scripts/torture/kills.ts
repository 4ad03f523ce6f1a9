import { setTimeout as sleep } from 'node:timers/promises';
import { randomFrom } from '../synthesis/random.ts';
import { throwAwayCluster } from '../throw-away/service.ts';
import { startLivingService, type Victim } from './living-service.ts';
import { startMixedLoad } from './load/mixed-load.ts';
import type { Torture } from './torture.ts';

const ROUNDS = { full: 100, quick: 5 };
const SHORTEST_LIFE_MS = 200;
const LONGEST_LIFE_MS = 2_500;
const VICTIMS = [
  ['service', 5],
  ['postgres', 3],
  ['node', 3],
] as const;
/** Sometimes two go at once. */
const SECOND_VICTIM = 0.15;

/**
 * Kills the service, its Postgres and its event log at random moments under a mixed load. In the
 * end every 202 has a completed receipt, every record is there once and as it was last told, and
 * the read tables are what a rebuild makes of the log.
 */
export const tortureByKills: Torture = async ({ seed, isQuick, report }) => {
  const random = randomFrom(seed);
  const rounds = isQuick ? ROUNDS.quick : ROUNDS.full;
  const directory = await throwAwayCluster();
  const service = await startLivingService(directory.path);
  try {
    const load = await startMixedLoad({
      apis: [service],
      dataDir: directory.path,
      seed,
      trouble: 'silence',
      isQuick,
    });
    for (let round = 1; round <= rounds; round += 1) {
      await sleep(random.whole(SHORTEST_LIFE_MS, LONGEST_LIFE_MS));
      const victims = new Set<Victim>([random.weighted(VICTIMS)]);
      if (random.chance(SECOND_VICTIM)) victims.add(random.weighted(VICTIMS));
      for (const victim of victims) {
        service.kill(victim);
        load.count(`${victim} killed`);
      }
      await service.ready();
      report(`Round ${round} of ${rounds}: killed ${[...victims].join(' and ')}, it came back.`);
    }
    report('Working off what was taken.');
    return await load.end();
  } finally {
    await service.stop();
    await directory.remove();
  }
};
