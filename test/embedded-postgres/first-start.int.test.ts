import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { EmbeddedPostgresFailed } from '../../adapters/embedded-postgres/embedded-postgres-failed.ts';
import { eventually } from '../harness/eventually.ts';
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

const test = hostingSuite('embedded Postgres: first start', 'missing');

test('a first start makes the database, a later one finds the data', async ({ host, dataDir }) => {
  const first = await host();
  await query(first.url, `create table kept as select 'ÄÖ' as text`);
  assert.is(postmasterPid(dataDir) !== null, true);
  const firstPid = pidOf(dataDir);
  await first.stop();
  assert.is(isRunning(firstPid), false);
  assert.is(postmasterPid(dataDir), null);

  const second = await host();
  assert.equal(await query(second.url, 'select lower(text) as text from kept'), [{ text: 'äö' }]);
  assert.equal(filesIn(dataDir), [
    'postgres',
    'postgres-password',
    'postgres-port',
    'postgres.log',
  ]);
});

test('the cluster is durable, checked and encoded as designed', async ({ host }) => {
  const { url } = await host();
  const settings = Object.fromEntries(
    (await query(url, 'select name, setting from pg_settings')).map((row) => [
      row['name'],
      row['setting'],
    ]),
  );
  for (const [name, setting] of Object.entries({
    data_checksums: 'on',
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    server_encoding: 'UTF8',
    TimeZone: 'UTC',
    jit: 'off',
    max_connections: '100',
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    logging_collector: 'off',
  })) {
    assert.is(settings[name], setting, name);
  }
  const [role] = await query(url, 'select rolsuper from pg_roles where rolname = current_user');
  assert.is(role?.['rolsuper'], false);
});

test('the password is its own file, and nobody gets in without it', async ({ host, dataDir }) => {
  const { url } = await host();
  const file = join(dataDir, 'postgres-password');
  assert.is(statSync(file).mode & 0o777, 0o600);
  assert.is(new URL(url).password, readFileSync(file, 'utf8').trim());
  const rejected = (other: string) =>
    query(other, 'select 1').then(
      () => 'let in',
      (error: { code?: string }) => error.code,
    );
  const wrong = new URL(url);
  wrong.password = 'wrong';
  assert.is(await rejected(wrong.href), '28P01');
  wrong.username = 'postgres';
  assert.is(await rejected(wrong.href), '28P01');
});

addLong(test, 'first starts at the same moment end up on one server', async ({ host, dataDir }) => {
  const service = startHostingProcess(dataDir);
  const [one, two] = await Promise.all([host(), host()]);
  const { url } = await service.reported('url');
  assert.is(one.url, url);
  assert.is(two.url, url);
  assert.equal(filesIn(dataDir), [
    'postgres',
    'postgres-password',
    'postgres-port',
    'postgres.log',
  ]);
  await service.end('SIGUSR2');
});

addLong(
  test,
  'a first start killed half-way is made good by the next',
  async ({ host, dataDir }) => {
    const service = startHostingProcess(dataDir);
    await eventually(
      'initdb is at work',
      () => statSync(dataDir, { throwIfNoEntry: false }) !== undefined && isDrafted(dataDir),
    );
    await service.end('SIGKILL');
    assert.is(filesIn(dataDir).includes('postgres'), false);

    const hosted = await host();
    assert.is(await answers(hosted), true);
    assert.is(filesIn(dataDir).includes('postgres'), true);
    await hosted.stop();
    // The orphaned initdb may have been writing still; by now it has ended.
    await (await host()).stop();
    assert.equal(filesIn(dataDir), [
      'postgres',
      'postgres-password',
      'postgres-port',
      'postgres.log',
    ]);
  },
);

const isDrafted = (dataDir: string): boolean =>
  filesIn(dataDir).some(
    (name) =>
      name.startsWith('postgres.new-') &&
      statSync(join(dataDir, name, 'global'), { throwIfNoEntry: false }) !== undefined,
  );

addLong(test, 'SIGINT and SIGTERM are left to the service', async ({ dataDir }) => {
  const service = startHostingProcess(dataDir);
  const { url, handlers } = await service.reported('url');
  assert.equal(handlers, { SIGINT: 1, SIGHUP: 0 });
  const pid = pidOf(dataDir);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    service.child.kill(signal);
    await service.reported('received', signal);
    assert.equal(await query(String(url), 'select 1 as one'), [{ one: 1 }]);
  }
  assert.is(service.child.exitCode, null);
  assert.is(pidOf(dataDir), pid);
  await service.end('SIGUSR2');
  assert.is(isRunning(pid), false);
});

const failure = async (attempt: Promise<unknown>): Promise<EmbeddedPostgresFailed> => {
  try {
    await attempt;
  } catch (error) {
    if (error instanceof EmbeddedPostgresFailed) return error;
    throw error;
  }
  throw new Error('it should have failed');
};

addLong(test, 'a DATA_DIR that root made for itself is opened to pass through', async (context) => {
  mkdirSync(context.dataDir, { mode: 0o700 });
  assert.is(await answers(await context.host()), true);
});

test('foreign files, a lost password and another version are refused with advice', async ({
  host,
  dataDir,
}) => {
  mkdirSync(join(dataDir, 'postgres'), { recursive: true });
  writeFileSync(join(dataDir, 'postgres', 'letter.txt'), 'dear');
  assert.match((await failure(host())).message, 'holds files but no Postgres cluster');
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '9\n');
  assert.match((await failure(host())).message, 'was made by Postgres 9');
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '18\n');
  assert.match((await failure(host())).message, 'Restore it from a backup');
  writeFileSync(join(dataDir, 'postgres-password'), 'x'.repeat(32));
  assert.match(
    (await failure(host())).message,
    /does not start \(exit code 2\)\..*postgresql\.conf/,
  );
});

test.run();
