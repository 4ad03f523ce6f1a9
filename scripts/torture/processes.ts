import { setTimeout as sleep } from 'node:timers/promises';
import { randomFrom } from '../synthesis/random.ts';
import { throwAwayCluster } from '../throw-away/service.ts';
import { type LivingService, startLivingService } from './living-service.ts';
import { startMixedLoad } from './load/mixed-load.ts';
import { startProgressWatch } from './progress-watch.ts';
import type { Torture } from './torture.ts';

const ROUNDS = { full: 30, quick: 2 };
const CALM_MS = 2_000;
/** Longer than a turn and the projector's lease last; frozen for a minute now and then. */
const DISTURBED_MS = 12_000;
const FROZEN_LONG_MS = 60_000;
const FROZEN_LONG = 0.2;
/** Work goes on with another process within this; a quick run has the machine not for itself. */
const TAKEN_OVER_MS = { full: 10_000, quick: 20_000 };

const DISTURBANCES = [
  ['worker lost', 3],
  ['projector lost', 3],
  ['worker frozen', 3],
  ['projector frozen', 2],
  ['API lost', 1],
] as const;

/**
 * Two processes of each role on one log and one database, under a mixed load that goes to both
 * doors: of any role one is lost or stands still, and the other goes on with its work; what wakes
 * up after its turn was taken harms nothing.
 */
export const tortureProcesses: Torture = async ({ seed, isQuick, report }) => {
  const random = randomFrom(seed);
  const size = isQuick ? 'quick' : 'full';
  const [rounds, takenOverMs] = [ROUNDS[size], TAKEN_OVER_MS[size]];
  const directory = await throwAwayCluster();
  let longest = 0;
  const started: LivingService[] = [];
  const start = async (role: 'api' | 'worker' | 'projector'): Promise<LivingService> => {
    const service = await startLivingService(directory.path, role);
    started.push(service);
    return service;
  };
  const twoOf = async (role: 'worker' | 'projector') => [await start(role), await start(role)];
  try {
    const api = await start('api');
    const apis = [api, await start('api')] as const;
    const workers = await twoOf('worker');
    const projectors = await twoOf('projector');
    const load = await startMixedLoad({
      apis,
      dataDir: directory.path,
      seed,
      trouble: 'silence',
      isQuick,
    });

    const watch = await startProgressWatch(directory.path);
    try {
      for (let round = 1; round <= rounds; round += 1) {
        await sleep(CALM_MS);
        const disturbance = random.weighted(DISTURBANCES);
        load.count(disturbance);
        const [role, how] = disturbance.split(' ');
        const among = role === 'worker' ? workers : role === 'projector' ? projectors : apis;
        const victim = random.pick(among);
        const isLong = how === 'frozen' && !isQuick && random.chance(FROZEN_LONG);
        watch.begin();
        const undo = how === 'lost' ? victim.lose() : victim.freeze().thaw;
        await sleep(isLong ? FROZEN_LONG_MS : DISTURBED_MS);
        undo();
        await victim.ready();
        const stall = Math.round(watch.longestStall());
        const what = `Round ${round} of ${rounds}, ${disturbance}: no progress for ${stall} ms.`;
        report(what);
        longest = Math.max(longest, stall);
        if (stall > takenOverMs) load.onFault(what);
      }
    } finally {
      await watch.stop();
    }
    report('Working off what was taken.');
    const { counts, faults } = await load.end();
    return { counts: { ...counts, 'longest stall ms': longest }, faults };
  } finally {
    for (const service of started.reverse()) await service.stop();
    await directory.remove();
  }
};
