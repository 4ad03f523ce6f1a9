import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type EmbeddedEventStore,
  hostEventStore,
} from '../../adapters/embedded-eventstore/host.ts';
import { hostPostgres } from '../../adapters/embedded-postgres/host.ts';
import { buildService } from '../../scripts/build-service.ts';
import { eventually } from '../harness/eventually.ts';
import { throwAwayCluster } from '../harness/measured-service.ts';
import { freePort } from '../harness/ports.ts';
import { post, push, receiptAddress, receiptAt } from '../harness/service.ts';
import { birthBundle } from '../support/bundles.ts';
import { type RestartableService, startRestartableService } from './restartable-service.ts';

interface Context {
  service: RestartableService;
  token: string;
  practiceId: string;
  dataDir: string;
  /** Stops the log, and starts it again where it was. */
  stopLog(): Promise<void>;
  startLog(): Promise<void>;
  stop(): Promise<void>;
}

/** The built service in a process, with a clock, of its own, apart from its log. */
const chaos = suite<Context>('chaos: a service and its log');

chaos.before(async (context) => {
  buildService('ignore');
  const cluster = await throwAwayCluster();
  const dataDir = cluster.path;
  const postgres = await hostPostgres({ dataDir });
  const port = await freePort();
  const host = () =>
    hostEventStore({ databaseUrl: postgres.url, dataDir, hostKind: 'service', port });
  let log: EmbeddedEventStore = await host();
  const service = await startRestartableService(dataDir, 'all', {
    DATABASE_URL: postgres.url,
    EVENTSTORE_URL: log.connectionString,
    REGISTRY_SECRET: randomUUID(),
  });
  const { practiceId } = await service.operator(
    ...['practice', 'create', '--name', 'Cedar Birth Center', '--beta'],
  );
  const { token } = await service.operator(
    ...['key', 'mint', '--practice', String(practiceId)],
    ...['--scopes', 'ingest:write,ingest:read'],
  );
  Object.assign(context, { service, dataDir, token, practiceId });
  context.stopLog = () => log.stop();
  context.startLog = async () => {
    log = await host();
  };
  context.stop = async () => {
    await service.stop();
    await log.stop();
    await postgres.stop();
    await cluster.remove();
  };
});
chaos.after(({ stop }) => stop());

const warningsOf = async (url: string) => {
  const response = await fetch(`${url}/health/ready`);
  assert.is(response.status, 200);
  const { warnings } = (await response.json()) as {
    readonly warnings: readonly { readonly code: string; readonly says: string }[];
  };
  return warnings;
};

const CLOCK =
  /The clock of this machine is (\d+\.\d) s (behind|ahead of) the clock of the event log/g;

/** By how many seconds a text says last that our clock is ahead. */
const saidIn = (text: string): number => {
  const [, seconds, direction] = [...text.matchAll(CLOCK)].at(-1) ?? [];
  return direction === 'behind' ? -Number(seconds) : Number(seconds);
};

for (const seconds of [-60, -10, -2, -1, 1, 2, 10, 60])
  chaos(
    `${seconds} s off its log, pushes complete, and readiness and log say so`,
    async (context) => {
      const { service, token, dataDir } = context;
      service.setClocksWrong(seconds * 1_000);
      const isSaid = (text: string) => Math.abs(saidIn(text) - seconds) < 0.5;
      let pushes = 0;
      // Each process and thread notices within a tenth of a second that its clock was set.
      await eventually('the warning', async () => {
        pushes += 1;
        const family = `Clock${seconds}x${pushes}`;
        const bundle = birthBundle({ chartNumber: `C-${seconds}-${pushes}`, mother: { family } });
        assert.is((await push(service.url, token, bundle)).status, 'completed');
        return (await warningsOf(service.url)).some(({ says }) => isSaid(says));
      });
      const { port } = new URL(service.url);
      const logFile = join(dataDir, `all-${port}.log`);
      await eventually('the log line', () => isSaid(readFileSync(logFile, 'utf8')));
      service.setClocksWrong(0);
    },
  );

const KILLS = 20;

chaos(
  'killed twenty times while the log is away, it loses nothing and doubles nothing',
  async (context) => {
    const { service, token, practiceId } = context;
    const before = await post(service.url, token, birthBundle({ chartNumber: 'W-before' }));
    await receiptAt(receiptAddress(before), token);
    await context.stopLog();
    const taken: { readonly chart: string; readonly address: string }[] = [];
    let slowestMs = 0;
    for (let kill = 0; kill <= KILLS; kill += 1) {
      const chart = `W-${kill}`;
      const bundle = birthBundle({ chartNumber: chart, mother: { family: `Without${kill}` } });
      // A sender without an answer sends again under the same key.
      const headers = { 'Idempotency-Key': chart };
      const began = performance.now();
      await eventually('the push is taken', async () => {
        const response = await post(service.url, token, bundle, headers).catch(() => null);
        if (response?.status !== 202) return false;
        taken.push({ chart, address: receiptAddress(response) });
        return true;
      });
      slowestMs = Math.max(slowestMs, performance.now() - began);
      if (kill < KILLS) service.kill('service');
    }
    console.log(`The slowest push after a kill was taken after ${Math.round(slowestMs)} ms.`);
    const codes = (await warningsOf(service.url)).map(({ code }) => code);
    assert.ok(codes.includes('log-away'), codes.join());

    await context.startLog();
    for (const { address } of taken)
      assert.is((await receiptAt(address, token)).status, 'completed');
    for (const { chart } of taken) {
      const { events } = await service.operator(
        ...['history', '--practice', practiceId, '--chart', chart],
      );
      assert.equal(
        (events as readonly { readonly type: string }[]).map(({ type }) => type),
        ['BirthRecorded'],
      );
    }
    const { problems } = await service.operator('verify');
    assert.equal(problems, []);
    await eventually('the warning is gone', async () =>
      (await warningsOf(service.url)).every(({ code }) => code !== 'log-away'),
    );
  },
);

chaos.run();
