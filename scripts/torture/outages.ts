import { setTimeout as sleep } from 'node:timers/promises';
import { hostPostgres } from '../../adapters/embedded-postgres/host.ts';
import { type Random, randomFrom } from '../synthesis/random.ts';
import { openTables } from '../throw-away/pushed-practice.ts';
import { throwAwayCluster } from '../throw-away/service.ts';
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
  const directory = await throwAwayCluster();
  const service = await startLivingService(directory.path);
  try {
    const load = await startMixedLoad({
      apis: [service],
      dataDir: directory.path,
      seed,
      trouble: 'refusals',
      isQuick,
    });
    for (let round = 1; round <= ROUNDS[size]; round += 1) {
      await sleep(CALM_MS[size]);
      const outage = OUTAGES[round % OUTAGES.length] ?? OUTAGES[0];
      load.count(outage.name);
      await outage.happen({ service, dataDir: directory.path, awayMs: AWAY_MS[size], random });
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
  happen(parts: OutageParts): Promise<void> | void;
}

interface OutageParts {
  readonly service: LivingService;
  readonly dataDir: string;
  readonly awayMs: number;
  readonly random: Random;
}

const frozen =
  (part: 'node' | 'postgres'): Outage['happen'] =>
  async ({ service, awayMs }) => {
    const { thaw } = service.freeze(part);
    await sleep(awayMs);
    thaw();
  };

const clocksJump: Outage['happen'] = async ({ service, dataDir, random }) => {
  const byMs = random.whole(-MOST_WRONG_MS, MOST_WRONG_MS);
  service.setClocksWrong(byMs);
  await moveLeases(dataDir, byMs);
};

/** As if the clock of Postgres had jumped, too, for whoever holds a lease or waits for one. */
const moveLeases = async (dataDir: string, byMs: number): Promise<void> => {
  const postgres = await hostPostgres({ dataDir });
  const tables = await openTables(postgres.url);
  try {
    for (const table of ['lease', 'lease_request'])
      await tables.query(
        `update app.${table} set expires_at = expires_at - ${byMs} * interval '1 millisecond'`,
      );
  } finally {
    await tables.close();
    await postgres.stop();
  }
};

const OUTAGES: readonly [Outage, ...Outage[]] = [
  { name: 'Postgres restarted', happen: ({ service }) => service.stopPostgres() },
  { name: 'log unreachable', happen: frozen('node') },
  { name: 'clocks jumped', happen: clocksJump },
  { name: 'Postgres unreachable', happen: frozen('postgres') },
];
