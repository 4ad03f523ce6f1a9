import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { eventually } from '../harness/eventually.ts';
import {
  answers,
  hostingSuite,
  isRunning,
  pidOf,
  portOf,
  postmasterPid,
  query,
  startHostingProcess,
} from './support/hosting.ts';

const test = hostingSuite('embedded Postgres: host', 'fresh');

test('it listens on the loopback only', async ({ host }) => {
  const hosted = await host();
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter((address) => !address.internal && address.family === 'IPv4');
  for (const { address } of outside) {
    const url = new URL(hosted.url);
    url.hostname = address;
    assert.is(await query(url.href, 'select 1').catch((error) => error.code), 'ECONNREFUSED');
  }
  // A second listener on the same port of any other address is only possible if none is there.
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject).listen(portOf(hosted), '127.0.0.2', resolve);
  }).finally(() => probe.close());
});

test('what statements hold does not get into the log', async ({ host, dataDir }) => {
  const { url } = await host();
  await query(url, 'create table births (chart text primary key)');
  await query(url, `insert into births values ('Q-secret')`);
  for (const sql of [`insert into births values ('Q-secret')`, `select 'Q-secret'::date`]) {
    await query(url, sql).then(
      () => assert.unreachable('the statement should fail'),
      () => undefined,
    );
  }
  assert.not.match(readFileSync(join(dataDir, 'postgres.log'), 'utf8'), 'Q-secret');
});

test('a killed service leaves Postgres running, and the next start adopts it', async (context) => {
  const { dataDir, host } = context;
  const service = startHostingProcess(dataDir);
  const { url } = await service.reported('url');
  await query(String(url), 'create table kept as select 1 as one');
  const pid = pidOf(dataDir);
  await service.end('SIGKILL');
  assert.is(isRunning(pid), true);

  const adopted = await host();
  assert.is(pidOf(dataDir), pid);
  assert.equal(await query(adopted.url, 'select one from kept'), [{ one: 1 }]);
  await adopted.stop();
  assert.is(isRunning(pid), false);
});

test('two processes share the server, the last one stops it', async ({ host, dataDir }) => {
  const service = startHostingProcess(dataDir);
  const { url } = await service.reported('url');
  const pid = pidOf(dataDir);
  const command = await host();
  assert.is(command.url, url);

  await command.stop();
  assert.is(isRunning(pid), true);
  const another = await host();
  await service.end('SIGUSR2');
  assert.is(isRunning(pid), true);
  assert.is(await answers(another), true);
  await another.stop();
  assert.is(isRunning(pid), false);
});

test('whoever starts a server that was killed, it comes back where others look for it', async ({
  host,
  dataDir,
}) => {
  const service = startHostingProcess(dataDir);
  const { url } = await service.reported('url');
  await query(String(url), 'create table kept as select 1 as one');
  // The service cannot be the one that starts it again.
  service.child.kill('SIGSTOP');
  process.kill(pidOf(dataDir), 'SIGKILL');
  const command = await host();
  assert.is(command.url, url);
  assert.equal(await query(String(url), 'select one from kept'), [{ one: 1 }]);
  service.child.kill('SIGCONT');
  await command.stop();
  await service.end('SIGUSR2');
});

test('who comes while the server is being stopped gets it anew', async ({ host }) => {
  let current = await host();
  for (let round = 0; round < 8; round++) {
    const [next] = await Promise.all([host(), current.stop()]);
    assert.is(await answers(next), true, `round ${round}`);
    current = next;
  }
});

test('a killed postmaster comes back on the same port', async ({ host, dataDir, logged }) => {
  const hosted = await host();
  const second = await host();
  const { url } = hosted;
  await query(url, 'create table kept as select 1 as one');
  for (let round = 1; round <= 2; round++) {
    const pid = pidOf(dataDir);
    process.kill(pid, 'SIGKILL');
    await eventually('another postmaster runs', () => {
      const now = postmasterPid(dataDir);
      return now !== null && now !== pid;
    });
    await eventually(
      'both hosts say that it is back',
      () => logged.filter(({ msg }) => msg === 'embedded Postgres is back').length === 2 * round,
    );
  }
  assert.is(hosted.url, url);
  assert.is(second.url, url);
  assert.equal(await query(url, 'select one from kept'), [{ one: 1 }]);
});

test('stop() during a restart leaves nothing running', async ({ host, dataDir }) => {
  const hosted = await host();
  const pid = pidOf(dataDir);
  process.kill(pid, 'SIGKILL');
  await eventually('the postmaster is dead', () => !isRunning(pid));
  await hosted.stop();
  const left = postmasterPid(dataDir);
  assert.is(left !== null && isRunning(left), false);
});

test('a port taken while Postgres was down is given up for another', async (context) => {
  const { host, dataDir, logged } = context;
  const hosted = await host();
  const port = portOf(hosted);
  const thief: Server = createServer((socket) => socket.destroy());
  process.kill(pidOf(dataDir), 'SIGKILL');
  await eventually(
    'someone else takes the port',
    () =>
      new Promise((resolve) => {
        thief.once('error', () => {
          const now = postmasterPid(dataDir);
          if (now !== null && isRunning(now)) process.kill(now, 'SIGKILL');
          resolve(false);
        });
        thief.listen(port, '127.0.0.1', () => resolve(true));
      }),
  );
  try {
    await eventually('another port is chosen', () => portOf(hosted) !== port);
    assert.is(await answers(hosted), true);
    assert.ok(logged.some(({ from, port: to }) => from === port && to === portOf(hosted)));
  } finally {
    thief.close();
  }
});

test('a pid file that names a foreign process hinders nobody', async ({ host, dataDir }) => {
  const first = await host();
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
  const content = readFileSync(pidFile, 'utf8');
  await first.stop();
  // This test process is alive, is no postmaster, and must not be signalled.
  writeFileSync(pidFile, content.replace(/^\d+/, String(process.pid)));
  const second = await host();
  assert.is(await answers(second), true);
  assert.is.not(pidOf(dataDir), process.pid);
});

test('an empty pid file, as a loss of power leaves it, is no obstacle', async (context) => {
  const pidFile = join(context.dataDir, 'postgres', 'postmaster.pid');
  writeFileSync(pidFile, '');
  utimesSync(pidFile, 0, 0);
  assert.is(await answers(await context.host()), true);
});

test('losing only its own connection does not restart Postgres', async (context) => {
  const { host, dataDir, logged } = context;
  const hosted = await host();
  const pid = pidOf(dataDir);
  await query(
    hosted.url,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'postgres'`,
  );
  await eventually('the share is taken again', () =>
    logged.some(({ msg }) => msg === 'embedded Postgres is back'),
  );
  assert.is(pidOf(dataDir), pid);
  await hosted.stop();
  assert.is(isRunning(pid), false);
});

test('Postgres has a session of its own', async ({ host, dataDir }) => {
  await host();
  if (process.platform !== 'linux') return;
  const stat = readFileSync(`/proc/${pidOf(dataDir)}/stat`, 'utf8');
  const [, , group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  assert.equal([group, session], [String(pidOf(dataDir)), String(pidOf(dataDir))]);
});

test.run();
