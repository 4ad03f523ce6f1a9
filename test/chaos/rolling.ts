import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostEventStore } from '../../adapters/embedded-eventstore/host.ts';
import { hostPostgres } from '../../adapters/embedded-postgres/host.ts';
import { throwAwayCluster } from '../harness/measured-service.ts';
import { freePort } from '../harness/ports.ts';
import { type ChaosGroup, type Place, runUnderLoad } from './chaos.ts';

const ROUNDS = { full: 5, quick: 1 };
const CALM_MS = 1_000;
const STOPS_WITHIN_MS = 10_000;
const ROLES = ['api', 'worker', 'projector', 'api', 'worker', 'projector'] as const;

/**
 * Restarts two processes of each role one after the other under a mixed load, as a new release
 * would, behind a balancer that asks which are ready: no request fails, and each stops in ten
 * seconds. Their stores run outside of them, as in a cluster.
 */
export const runRolling: ChaosGroup = (options) =>
  runUnderLoad(
    options,
    { allowedFailures: 'none', roles: ROLES, openPlace: openStores },
    async ({ services, load }) => {
      const rounds = options.isQuick ? ROUNDS.quick : ROUNDS.full;
      let slowest = 0;
      // A quick run restarts one of each role: what it shows is the same.
      const restarted = options.isQuick ? services.slice(ROLES.length / 2) : services;
      for (let round = 1; round <= rounds; round += 1)
        for (const service of restarted) {
          const { role } = service;
          await sleep(CALM_MS);
          const tookMs = Math.round(await service.roll());
          await service.ready();
          slowest = Math.max(slowest, tookMs);
          load.count(`${role} restarted`);
          options.report(
            `Round ${round} of ${rounds}: ${role} stopped in ${tookMs} ms, and is ready again.`,
          );
          if (tookMs > STOPS_WITHIN_MS) load.onFault(`${role} took ${tookMs} ms to stop.`);
        }
      return { 'slowest stop ms': slowest };
    },
  );

const openStores = async (): Promise<Place> => {
  const { path: dataDir, remove } = await throwAwayCluster();
  const postgres = await hostPostgres({ dataDir });
  const databaseUrl = postgres.url;
  const port = await freePort();
  const log = await hostEventStore({ databaseUrl, dataDir, hostKind: 'service', port });
  return {
    dataDir,
    stores: {
      DATABASE_URL: databaseUrl,
      EVENTSTORE_URL: log.connectionString,
      REGISTRY_SECRET: randomUUID(),
    },
    async remove() {
      await log.stop();
      await postgres.stop();
      await remove();
    },
  };
};
