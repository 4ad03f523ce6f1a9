import { randomUUID } from 'node:crypto';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { EventStoreDBClient } from '@eventstore/db-client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connectEventLog, type EventLog } from '../../adapters/event-log/event-log.ts';
import { within } from '../harness/eventually.ts';
import { type FaultyLog, startFaultyLog } from '../harness/faulty-log.ts';
import { type LogProxy, proxyLog } from '../harness/log-proxy.ts';
import { freePort } from '../harness/ports.ts';

interface Context {
  leader: FaultyLog;
  proxies: LogProxy[];
  node(): Promise<LogProxy>;
}

const cluster = suite<Context>('the event log of a cluster');

const context = {
  correlationId: 'test',
  causationId: null,
  actor: { kind: 'service', id: 'test' },
} as const;

cluster.before(async (held) => {
  held.leader = await startFaultyLog();
  held.proxies = [];
  held.node = async () => {
    const node = await proxyLog(held.leader.port);
    held.proxies.push(node);
    return node;
  };
});
cluster.after(async ({ leader, proxies }) => {
  for (const proxy of proxies) proxy.stop();
  await leader.stop();
});

const appendTo = (log: EventLog) =>
  log.append(
    `key-${randomUUID()}`,
    'no-stream',
    [{ id: randomUUID(), event: { type: 'ApiKeyRevoked', data: { keyId: 'a' } } }],
    context,
  );

/** A node that stands still: the system takes connections for it, and nothing answers. */
const startFrozenNode = async (): Promise<{ server: Server; port: number }> => {
  const server = createServer((socket) => socket.on('error', () => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port };
};

cluster('nodes that stand still do not keep a read from the leader', async ({ node }) => {
  const { port } = await node();
  const frozen = await Promise.all([startFrozenNode(), startFrozenNode()]);
  const hosts = [...frozen.map((one) => one.port), port].map((one) => `127.0.0.1:${one}`);
  const connectionString = `esdb://${hosts.join(',')}?tls=false`;
  // Which node is asked first is up to chance.
  const logs = Array.from({ length: 8 }, () => connectEventLog({ connectionString }));
  const reads = await Promise.allSettled(logs.map((log) => log.readStream('key-none')));
  assert.equal(
    reads.map(({ status }) => status),
    reads.map(() => 'fulfilled'),
  );
  for (const log of logs) await log.close();
  for (const { server } of frozen) server.close();
});

cluster('a follower alone leads to the leader that it names', async ({ node, leader }) => {
  const follower = await node();
  follower.refuses(({ requiresLeader }) => (requiresLeader ? { leaderPort: leader.port } : null));
  const connectionString = `esdb://127.0.0.1:${follower.port}?tls=false`;
  const log = connectEventLog({ connectionString });
  assert.equal(await log.readStream('key-none'), []);
  assert.is((await appendTo(log)).kind, 'appended');
  await log.close();
  const other = connectEventLog({ connectionString });
  assert.is((await appendTo(other)).kind, 'appended');
  await other.close();
});

cluster('while no node answers, reads and appends give up all the same', async () => {
  const frozen = await Promise.all([startFrozenNode(), startFrozenNode()]);
  const hosts = frozen.map(({ port }) => `127.0.0.1:${port}`);
  const log = connectEventLog(
    { connectionString: `esdb://${hosts.join(',')}?tls=false` },
    { appendMs: 500, giveUpMs: 500, readMs: 500 },
  );
  const nameFault = (answer: Promise<unknown>) =>
    within(
      'it gives up',
      answer.then(
        () => 'none',
        ({ name }: Error) => name,
      ),
      // Shorter than the client's own search for a leader.
      12_000,
    );
  assert.equal(
    await Promise.all(
      [
        appendTo(log),
        log.confirmed.readStream('key-none'),
        log.confirmed.follow(
          null,
          async () => undefined,
          () => undefined,
          AbortSignal.timeout(60_000),
        ),
      ].map(nameFault),
    ),
    ['EventLogUnavailable', 'EventLogUnavailable', 'EventLogUnavailable'],
  );
  await log.close();
  for (const { server } of frozen) server.close();
});

cluster('a truncated stream is named as one behind a follower, too', async ({ node, leader }) => {
  const stream = `key-${randomUUID()}`;
  const direct = EventStoreDBClient.connectionString(`esdb://127.0.0.1:${leader.port}?tls=false`);
  const follower = await node();
  follower.refuses(({ requiresLeader }) => (requiresLeader ? { leaderPort: leader.port } : null));
  const log = connectEventLog({ connectionString: `esdb://127.0.0.1:${follower.port}?tls=false` });
  await direct.setStreamMetadata(stream, { truncateBefore: 1 });
  const fault = await log.readStream(stream).catch((error: Error) => error.name);
  assert.is(fault, 'StreamTruncated');
  await log.close();
  await direct.dispose();
});

cluster('an account that may not read is denied, not a log that cannot write', async ({ node }) => {
  const denying = await node();
  denying.refuses(() => 'denied');
  const log = connectEventLog(
    { connectionString: `esdb://127.0.0.1:${denying.port}?tls=false` },
    undefined,
    async ({ end }) => void (await end()),
  );
  assert.is(await appendTo(log).catch((error: Error) => error.name), 'EventLogAccessDenied');
  assert.is(log.appendHealth().cause, 'denied');
  await log.close();
});

cluster('the first confirmed read after a change of the leader is answered', async (held) => {
  const former = await held.node();
  const log = connectEventLog(
    { connectionString: `esdb://127.0.0.1:${former.port}?tls=false` },
    undefined,
    async ({ end }) => void (await end()),
  );
  const { confirmed } = log;
  await confirmed.head();
  former.refuses(({ requiresLeader }) =>
    requiresLeader ? { leaderPort: held.leader.port } : null,
  );
  assert.equal(await confirmed.readStream(`key-${randomUUID()}`), []);
  await log.close();
});

cluster('a leader that nobody reaches is told apart from a log that is away', async ({ node }) => {
  const follower = await node();
  const nowhere = await freePort();
  follower.refuses(({ requiresLeader }) => (requiresLeader ? { leaderPort: nowhere } : null));
  const log = connectEventLog({ connectionString: `esdb://127.0.0.1:${follower.port}?tls=false` });
  for (let read = 0; read < 3; read += 1) {
    const fault = await log.newest().then(
      () => null,
      (error: Error) => error,
    );
    assert.is(fault?.name, 'EventLogNotLeader');
    assert.match(fault?.message ?? '', 'list all nodes of the cluster in EVENTSTORE_URL');
  }
  await log.close();
});

cluster.run();
