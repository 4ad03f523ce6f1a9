import { setTimeout as sleep } from 'node:timers/promises';
import { withTables } from '../harness/measured-service.ts';
import { type ChaosGroup, type Loaded, runUnderLoad } from './chaos.ts';

const ROUNDS = { full: 20, quick: 4 };
const CALM_MS = { full: 3_000, quick: 1_000 };
const AWAY_MS = { full: 60_000, quick: 6_000 };
/** People stay signed in for 15 minutes without a request; no two clocks differ by more. */
const MAX_CLOCK_ERROR_MS = 840_000;

/**
 * Takes away what the service works with, without killing anything: its event log or its Postgres
 * stands still for a minute, Postgres is restarted, the clocks jump. Every request is answered,
 * with 503 at worst, and the service goes on by itself.
 */
export const runOutages: ChaosGroup = (options) =>
  runUnderLoad(options, { allowedFailures: '503' }, async (loaded) => {
    const size = options.isQuick ? 'quick' : 'full';
    for (let round = 1; round <= ROUNDS[size]; round += 1) {
      await sleep(CALM_MS[size]);
      const outage = OUTAGES[round % OUTAGES.length] ?? OUTAGES[0];
      loaded.load.count(outage.name);
      await outage.happen(loaded, AWAY_MS[size]);
      await loaded.service.ready();
      options.report(`Round ${round} of ${ROUNDS[size]}: ${outage.name}, it came back.`);
    }
    return {};
  });

interface Outage {
  readonly name: string;
  happen(loaded: Loaded, awayMs: number): Promise<void> | void;
}

const frozen =
  (part: 'node' | 'postgres'): Outage['happen'] =>
  async ({ service }, awayMs) => {
    const { thaw } = service.freeze(part);
    await sleep(awayMs);
    thaw();
  };

const clocksJump: Outage['happen'] = async ({ service, dataDir, random }) => {
  const byMs = random.whole(-MAX_CLOCK_ERROR_MS, MAX_CLOCK_ERROR_MS);
  service.setClocksWrong(byMs);
  await withTables(dataDir, async ({ query }) => {
    // As if the clock of Postgres had jumped, too, for processes that hold or await a lease.
    for (const table of ['lease', 'lease_request'])
      await query(
        `update app.${table} set expires_at = expires_at - ${byMs} * interval '1 millisecond'`,
      );
  });
};

const OUTAGES: readonly [Outage, ...Outage[]] = [
  { name: 'Postgres restarted', happen: ({ service }) => service.stopPostgres() },
  { name: 'log unreachable', happen: frozen('node') },
  { name: 'clocks jumped', happen: clocksJump },
  { name: 'Postgres unreachable', happen: frozen('postgres') },
];
