import { randomUUID } from 'node:crypto';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hostEventStore } from '../../adapters/embedded-eventstore/host.ts';
import { buildService } from '../../scripts/build-service.ts';
import { createRandom } from '../../scripts/synthesis/random.ts';
import { freePort } from '../harness/ports.ts';
import { createTestDatabase } from '../harness/postgres.ts';
import { poll, post, receiptAddress, receiptAt } from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { birthBundle } from '../support/bundles.ts';
import { startBalancer } from './load/balancer.ts';
import { type RestartableService, startRestartableService } from './restartable-service.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROJECT = [
  ...['adapters', 'api', 'domain', 'projections', 'scripts', 'transparency-log'],
  ...['package.json', 'package-lock.json', 'tsconfig.json'],
] as const;
const TABLE = 'projections/tables/birth-records.ts';

/** Writes the project with a later version of one read table, as a successor has it. */
const writeSuccessor = (directory: string): string => {
  for (const name of PROJECT) cpSync(join(ROOT, name), join(directory, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  const file = join(directory, TABLE);
  const source = readFileSync(file, 'utf8');
  const raised = source.replace(
    /(name: 'birth_records',\s+version: )(\d+)/,
    (_, before, version) => `${before}${Number(version) + 1}`,
  );
  assert.not.equal(raised, source);
  writeFileSync(file, raised);
  return directory;
};

const SENDERS = 3;
const PAUSE_MS = 20;
const CALM_MS = 1_000;

interface Sent {
  readonly pushes: number;
  readonly completed: number;
  /** What a client met that it must not. */
  readonly refused: readonly string[];
}

/** Pushes births and reads their receipts, at whichever process a balancer names. */
const startLoad = (origin: () => string, token: string) => {
  const receipts: string[] = [];
  const refused: string[] = [];
  let isOver = false;
  /** The receipt at the process that is to be asked now. */
  const ask: typeof poll = async (path, key) => {
    const answer = await poll(`${origin()}${path}`, key);
    if (answer.status !== 200) refused.push(`receipt ${answer.status}`);
    return answer;
  };
  const sender = async (name: number): Promise<void> => {
    for (let turn = 0; !isOver; turn += 1) {
      const chartNumber = `${name}-${turn}`;
      const bundle = birthBundle({ chartNumber, mother: { family: `Rolling${chartNumber}` } });
      const taken = await post(origin(), token, bundle);
      await taken.arrayBuffer();
      if (taken.status !== 202) refused.push(`push ${taken.status}`);
      else {
        const path = new URL(receiptAddress(taken)).pathname;
        receipts.push(path);
        await (await ask(path, token)).arrayBuffer();
      }
      await sleep(PAUSE_MS);
    }
  };
  const senders = Array.from({ length: SENDERS }, (_, name) =>
    sender(name).catch((error: unknown) => void refused.push(String(error))),
  );
  return {
    async end(): Promise<Sent> {
      isOver = true;
      await Promise.all(senders);
      let completed = 0;
      for (const path of receipts)
        if ((await receiptAt(path, token, undefined, ask)).status === 'completed') completed += 1;
      return { pushes: receipts.length, completed, refused };
    },
  };
};

const lookAt = async ({ url }: RestartableService) => {
  const ready = await fetch(`${url}/health/ready`);
  const { warnings } = (await ready.json()) as { readonly warnings: { readonly code: string }[] };
  const page = await fetch(`${url}/sign-in`, { headers: { Accept: 'text/html' } });
  await page.arrayBuffer();
  return {
    isReady: ready.status === 200,
    isNewer: warnings.some(({ code }) => code === 'tables-of-newer-version'),
    page: page.status,
  };
};

/** Replaces each process by one of another build under load, as the pages for operators say. */
const upgrade = async (from: string, to: string): Promise<Sent> => {
  const directory = temporaryDirectory('upgrade');
  const database = await createTestDatabase();
  const log = await hostEventStore({
    databaseUrl: database.url,
    dataDir: directory.path,
    hostKind: 'service',
    port: await freePort(),
  });
  const stores = {
    DATABASE_URL: database.url,
    EVENTSTORE_URL: log.connectionString,
    REGISTRY_SECRET: randomUUID(),
  };
  const services: RestartableService[] = [];
  const start = async (role: 'projector' | 'worker' | 'api') => {
    const service = await startRestartableService(directory.path, role, stores, from);
    services.push(service);
    return service;
  };
  try {
    const [projector, worker] = [await start('projector'), await start('worker')];
    const apis = [await start('api'), await start('api')] as const;
    const { operator } = projector;
    const { practiceId } = await operator('practice', 'create', '--name', 'Cedar', '--beta');
    const { token } = await operator(
      ...['key', 'mint', '--practice', String(practiceId)],
      ...['--scopes', 'ingest:write,ingest:read'],
    );
    const balancer = startBalancer(apis, createRandom('upgrade'));
    const load = startLoad(balancer.origin, String(token));
    await sleep(CALM_MS);
    const began = performance.now();
    await projector.roll(to);
    await projector.ready();
    for (const api of apis)
      assert.equal(await lookAt(api), { isReady: true, isNewer: true, page: 503 });
    await worker.roll(to);
    await worker.ready();
    for (const api of apis) {
      await api.roll(to);
      await api.ready();
      assert.equal(await lookAt(api), { isReady: true, isNewer: false, page: 200 });
    }
    const tookMs = Math.round(performance.now() - began);
    await sleep(CALM_MS);
    const sent = await load.end();
    await balancer.stop();
    const { pushes, completed, refused } = sent;
    console.log(
      `${pushes} pushes, ${completed} completed, ${refused.length} requests refused; all new after ${tookMs} ms`,
    );
    assert.equal((await operator('verify'))['problems'], []);
    assert.equal((await operator('rebuild', '--check'))['differences'], []);
    return sent;
  } finally {
    for (const service of services.reverse()) await service.stop();
    await log.stop();
    await database.stop();
    directory.remove();
  }
};

const chaos = suite('chaos: rolling upgrade');

const assertNothingLost = ({ pushes, completed, refused }: Sent): void => {
  assert.equal(refused, []);
  assert.ok(pushes > 0);
  assert.is(completed, pushes);
};

chaos('to a version with another read table, it refuses no push and no receipt', async () => {
  buildService('ignore');
  const successor = temporaryDirectory('successor');
  try {
    assertNothingLost(await upgrade(ROOT, writeSuccessor(successor.path)));
  } finally {
    successor.remove();
  }
});

/** Directory of an earlier release, with its packages. */
const { UPGRADE_FROM } = process.env;
const fromEarlier = UPGRADE_FROM === undefined ? chaos.skip : chaos;
fromEarlier('from the release in UPGRADE_FROM, it refuses no push and no receipt', async () => {
  buildService('ignore');
  assertNothingLost(await upgrade(String(UPGRADE_FROM), ROOT));
});

chaos.run();
