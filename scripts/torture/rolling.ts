import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostEventStore } from '../../adapters/embedded-eventstore/host.ts';
import { hostPostgres } from '../../adapters/embedded-postgres/host.ts';
import { freePort } from '../throw-away/free-port.ts';
import { throwAwayCluster } from '../throw-away/service.ts';
import { type LivingService, type Role, startLivingService } from './living-service.ts';
import { startMixedLoad } from './load/mixed-load.ts';
import type { Torture } from './torture.ts';

const ROUNDS = { full: 5, quick: 1 };
const CALM_MS = 1_000;
const STOPS_WITHIN_MS = 10_000;
const ROLES = ['api', 'worker', 'projector', 'api', 'worker', 'projector'] as const;

/**
 * Restarts one after the other of two processes of each role under a mixed load, as a new release
 * would, behind a balancer that asks who is ready: no request fails, and each stops in ten seconds.
 * Their stores are not in one of them, as a cluster would not be.
 */
export const tortureByRolling: Torture = async ({ seed, isQuick, report }) => {
  const rounds = isQuick ? ROUNDS.quick : ROUNDS.full;
  const directory = await throwAwayCluster();
  const started: { readonly role: Role; readonly service: LivingService }[] = [];
  const stores = await openStores(directory.path);
  try {
    for (const role of ROLES)
      started.push({
        role,
        service: await startLivingService(directory.path, role, stores.settings),
      });
    const apis = started.filter(({ role }) => role === 'api').map(({ service }) => service);
    const load = await startMixedLoad({
      apis,
      dataDir: directory.path,
      seed,
      trouble: 'none',
      isQuick,
    });
    let slowest = 0;
    // A quick run restarts one of each role: what it shows is the same.
    const restarted = isQuick ? started.slice(ROLES.length / 2) : started;
    for (let round = 1; round <= rounds; round += 1)
      for (const { role, service } of restarted) {
        await sleep(CALM_MS);
        const tookMs = Math.round(await service.roll());
        await service.ready();
        slowest = Math.max(slowest, tookMs);
        load.count(`${role} restarted`);
        report(`Round ${round} of ${rounds}: ${role} stopped in ${tookMs} ms, and is ready again.`);
        if (tookMs > STOPS_WITHIN_MS) load.onFault(`${role} took ${tookMs} ms to stop.`);
      }
    report('Working off what was taken.');
    const { counts, faults } = await load.end();
    return { counts: { ...counts, 'slowest stop ms': slowest }, faults };
  } finally {
    for (const { service } of started.reverse()) await service.stop();
    await stores.stop();
    await directory.remove();
  }
};

const openStores = async (dataDir: string) => {
  const postgres = await hostPostgres({ dataDir });
  const databaseUrl = postgres.url;
  const port = await freePort();
  const log = await hostEventStore({ databaseUrl, dataDir, holder: 'service', port });
  return {
    settings: {
      DATABASE_URL: databaseUrl,
      EVENTSTORE_URL: log.connectionString,
      REGISTRY_SECRET: randomUUID(),
    },
    async stop() {
      await log.stop();
      await postgres.stop();
    },
  };
};
