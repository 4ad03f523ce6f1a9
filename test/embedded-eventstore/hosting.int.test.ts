import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { END, NO_STREAM } from '@eventstore/db-client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hostEventStore } from '../../adapters/embedded-eventstore/host.ts';
import { processScript } from '../harness/built-service.ts';
import { eventually, keepTrying, within } from '../harness/eventually.ts';
import { freePort } from '../harness/ports.ts';
import { startTestPostgres, type TestPostgres } from '../harness/postgres.ts';
import { passTime } from '../harness/real-time.ts';
import { addLong } from '../support/runs.ts';
import {
  collect,
  connect,
  nodePid,
  rejection,
  tried,
  uniqueStream,
} from './support/log-under-test.ts';

const test = suite('hosting');
let postgres: TestPostgres;

test.before(async () => {
  postgres = await startTestPostgres();
});

test.after(async () => {
  await postgres.stop();
});

const host = (holder: 'service' | 'command', port?: number) =>
  hostEventStore({
    databaseUrl: postgres.url,
    dataDir: postgres.directory,
    hostKind: holder,
    ...(port === undefined ? {} : { port }),
  });

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('the port is remembered, and another one taken when it is not free', async () => {
  const first = await host('service');
  await first.stop();
  const second = await host('service');
  assert.is(second.port, first.port);
  await second.stop();
  const blocker = (await import('node:net')).createServer();
  blocker.listen(first.port, '127.0.0.1');
  await once(blocker, 'listening');
  const third = await host('service');
  assert.is.not(third.port, first.port);
  await third.stop();
  const refused = await rejection(host('service', first.port));
  assert.is(refused.name, 'EventStoreUnavailable');
  blocker.close();
});

test('a damaged address file is no obstacle', async () => {
  await writeFile(join(postgres.directory, 'eventstore.json'), '{"port":');
  const store = await host('service');
  assert.ok(store.port > 0);
  await store.stop();
});

test('a client finds a node that starts on its port later', async () => {
  const port = await freePort();
  const client = connect({ connectionString: `esdb://127.0.0.1:${port}?tls=false` });
  const stream = uniqueStream('later');
  const error = await rejection(client.appendToStream(stream, tried()));
  assert.is('code' in error ? error.code : null, 14);
  const store = await host('service', port);
  const event = tried();
  await keepTrying(() => client.appendToStream(stream, event, { expectedRevision: NO_STREAM }));
  assert.is((await collect(client.readStream(stream))).length, 1);
  await client.dispose();
  await store.stop();
});

addLong(test, 'signals to the process group do not end the node before its host does', async () => {
  const store = await host('service');
  const pid = await nodePid(postgres.directory);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal);
  const client = connect(store);
  await client.appendToStream(uniqueStream('signals'), tried());
  await client.dispose();
  assert.ok(isAlive(pid));
  await store.stop();
  assert.not.ok(isAlive(pid));
});

test('stopping fails open streams with UNAVAILABLE and never ends them as done', async () => {
  const store = await host('service');
  const client = connect(store);
  const stream = uniqueStream('draining');
  const outcome = new Promise<string>((resolve) => {
    client
      .subscribeToStream(stream, { fromRevision: END })
      .on('caughtUp', () => void store.stop())
      .on('error', (error) => resolve(`${'code' in error ? error.code : ''}`))
      .on('end', () => resolve('ended'));
  });
  assert.is(await within('the end of the subscription', outcome), '14');
  await store.stop();
  await client.dispose();
});

addLong(test, 'a node that dies while no process can be started comes back', async () => {
  const told: string[] = [];
  const store = await hostEventStore({
    databaseUrl: postgres.url,
    dataDir: postgres.directory,
    hostKind: 'service',
    onLog: (line) => void told.push(String((line as { event?: unknown }).event)),
  });
  const pid = await nodePid(postgres.directory);
  const node = process.execPath;
  process.execPath = join(postgres.directory, 'nothing-to-run');
  try {
    process.kill(pid, 'SIGKILL');
    await eventually('a start that fails', () => told.includes('node-not-started'), 20_000);
  } finally {
    process.execPath = node;
  }
  const client = connect(store);
  await keepTrying(() => client.appendToStream(uniqueStream('back'), tried()));
  await client.dispose();
  await store.stop();
});

test('the death of the host ends the node, and another host takes over', async () => {
  const script = processScript('test/embedded-eventstore/support/hosting-process.ts');
  const child = spawn(process.execPath, [script, postgres.url, postgres.directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await within('the host', once(child.stdout, 'data'));
  const pid = await nodePid(postgres.directory);
  assert.ok(isAlive(pid));
  child.kill('SIGKILL');
  await eventually('the end of the node', () => !isAlive(pid), 20_000);
  const store = await host('service');
  await store.stop();
});

test('a command uses the node of a service and leaves it running', async () => {
  const service = await host('service');
  const pid = await nodePid(postgres.directory);
  const command = await host('command');
  assert.is(command.connectionString, service.connectionString);
  await command.stop();
  assert.ok(isAlive(pid));
  await service.stop();
});

addLong(test, 'services and commands wait until the node of a command is gone', async () => {
  const command = await host('command');
  const port = command.port;
  const waiting = [host('service'), host('command')] as const;
  await passTime(300);
  assert.is(await Promise.race([...waiting, Promise.resolve('waiting')]), 'waiting');
  await command.stop();
  const first = await Promise.race(waiting);
  assert.is(first.port, port);
  // Whichever came second waits for the first or uses its node.
  if (first === (await Promise.race([waiting[1], passTime(500)]))) await first.stop();
  const service = await waiting[0];
  const second = await waiting[1];
  await second.stop();
  await service.stop();
});

test('a second service uses the node of the first and takes over from it', async () => {
  const first = await host('service');
  const second = await host('service');
  assert.is(second.connectionString, first.connectionString);
  const client = connect(second);
  const stream = uniqueStream('over');
  await client.appendToStream(stream, tried(), { expectedRevision: NO_STREAM });
  const pid = await nodePid(postgres.directory);
  await first.stop();
  const event = tried();
  await keepTrying(() => client.appendToStream(stream, event, { expectedRevision: 0n }));
  assert.is((await collect(client.readStream(stream))).length, 2);
  assert.is.not(await nodePid(postgres.directory), pid);
  await client.dispose();
  await second.stop();
  assert.not.ok(isAlive(await nodePid(postgres.directory)));
});

test.run();
