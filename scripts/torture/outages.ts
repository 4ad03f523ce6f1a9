import { setTimeout as sleep } from 'node:timers/promises';
import { throwAwayDirectory } from '../bench/throw-away.ts';
import { type Random, randomFrom } from '../synthesis/random.ts';
import { type LivingService, startLivingService } from './living-service.ts';
import { startMixedLoad } from './load/mixed-load.ts';
import type { Torture } from './torture.ts';

const ROUNDS = { full: 20, quick: 4 };
const CALM_MS = { full: 3_000, quick: 1_000 };
const AWAY_MS = { full: 60_000, quick: 6_000 };
/** People stay signed in for half an hour without a request; no two clocks differ by more. */
const MOST_WRONG_MS = 840_000;

/**
 * Takes away what the service works with, without killing anything: its event log or its Postgres
 * stands still for a minute, Postgres is restarted, the clocks jump. Every request is answered,
 * with 503 at worst, and the service goes on by itself.
 */
export const tortureByOutages: Torture = async ({ seed, isQuick, report }) => {
  const random = randomFrom(seed);
  const size = isQuick ? 'quick' : 'full';
  const directory = await throwAwayDirectory();
  const service = await startLivingService(directory.path);
  try {
    const load = await startMixedLoad({
      ...{ apis: [service], dataDir: directory.path, seed, trouble: 'refusals' },
    });
    for (let round = 1; round <= ROUNDS[size]; round += 1) {
      await sleep(CALM_MS[size]);
      const outage = OUTAGES[round % OUTAGES.length] ?? OUTAGES[0];
      load.count(outage.name);
      await outage.happen(service, AWAY_MS[size], random);
      await service.ready();
      report(`Round ${round} of ${ROUNDS[size]}: ${outage.name}, it came back.`);
    }
    report('Working off what was taken.');
    return await load.end();
  } finally {
    await service.stop();
    await directory.remove();
  }
};

interface Outage {
  readonly name: string;
  happen(service: LivingService, awayMs: number, random: Random): Promise<void> | void;
}

const frozen =
  (part: 'node' | 'postgres'): Outage['happen'] =>
  async (service, awayMs) => {
    const { thaw } = service.freeze(part);
    await sleep(awayMs);
    thaw();
  };

const OUTAGES: readonly [Outage, ...Outage[]] = [
  { name: 'Postgres restarted', happen: (service) => service.stopPostgres() },
  { name: 'log unreachable', happen: frozen('node') },
  {
    name: 'clocks jumped',
    happen: (service, _awayMs, random) =>
      service.setClocksWrong(random.whole(-MOST_WRONG_MS, MOST_WRONG_MS)),
  },
  { name: 'Postgres unreachable', happen: frozen('postgres') },
];
