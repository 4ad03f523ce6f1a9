import { randomUUID } from 'node:crypto';
import { createServer, type Settings } from 'node:http2';
import { type AddressInfo, connect, createServer as createProxy } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hostEventStore } from '../../adapters/embedded-eventstore/host.ts';
import { connectEventLog, type EventLog } from '../../adapters/event-log/event-log.ts';
import { createLogClient } from '../../adapters/package-internals/event-store-client/create-log-client.ts';
import type { LogAddress } from '../../adapters/package-internals/event-store-client/log-address.ts';
import { startTestPostgres } from '../harness/postgres.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';

const guard = suite('the guarded client');

const context = {
  correlationId: 'test',
  causationId: null,
  actor: { kind: 'service', id: 'test' },
} as const;

interface HostedLog extends LogAddress {
  stop(): Promise<void>;
}

const hostLog = async (): Promise<HostedLog> => {
  const postgres = await startTestPostgres();
  const directory = temporaryDirectory('guard');
  const node = await hostEventStore({
    databaseUrl: postgres.url,
    dataDir: directory.path,
    hostKind: 'service',
  });
  return {
    connectionString: node.connectionString,
    authorization: node.authorization,
    async stop() {
      await node.stop();
      await postgres.stop();
      directory.remove();
    },
  };
};

const appendTo = (log: EventLog, stream: string) =>
  log.append(
    stream,
    'no-stream',
    [{ id: randomUUID(), event: { type: 'ApiKeyRevoked', data: { keyId: stream } } }],
    context,
  );

const newStreams = (count: number): readonly string[] =>
  Array.from({ length: count }, () => `key-${randomUUID()}`);

guard(
  'a client that goes away while another appends harms neither it nor the process',
  async () => {
    const hosted = await hostLog();
    const log = connectEventLog(hosted);
    await appendTo(log, `key-${randomUUID()}`);
    for (let round = 0; round < 20; round += 1) {
      const other = connectEventLog(hosted);
      await appendTo(other, `key-${randomUUID()}`);
      const streams = newStreams(40);
      const appends = streams.map((stream) => appendTo(log, stream));
      // Its end makes the client forget the appends of the first one as well.
      await other.close();
      const kinds = (await Promise.all(appends)).map(({ kind }) => kind);
      assert.equal([...new Set(kinds)], ['appended']);
      for (const stream of streams) assert.is((await log.readStream(stream)).length, 1);
    }
    await log.close();
    await hosted.stop();
  },
);

guard('appends that are made together leave together', async () => {
  const hosted = await hostLog();
  const target = new URL(hosted.connectionString.replace('esdb:', 'http:'));
  let pieces = 0;
  const between = createProxy((socket) => {
    const onward = connect(Number(target.port), target.hostname);
    socket.on('data', () => {
      pieces += 1;
    });
    socket.pipe(onward).pipe(socket);
    for (const end of [socket, onward]) end.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
  const { port } = between.address() as AddressInfo;
  const log = connectEventLog({
    ...hosted,
    connectionString: `esdb://127.0.0.1:${port}?tls=false`,
  });
  try {
    await appendTo(log, `key-${randomUUID()}`);
    const streams = newStreams(64);
    pieces = 0;
    await Promise.all(streams.map((stream) => appendTo(log, stream)));
    assert.ok(pieces < 32, `64 appends came in ${pieces} pieces`);
    for (const stream of streams) assert.is((await log.readStream(stream)).length, 1);
  } finally {
    await log.close();
    between.close();
    await hosted.stop();
  }
});

guard('the log may send far ahead of a busy reader', async () => {
  const server = createServer();
  const announced = new Promise<Settings>((resolve) => {
    server.on('session', (session) => {
      session.once('remoteSettings', (settings) => {
        resolve(settings);
        session.destroy();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = createLogClient({ connectionString: `esdb://127.0.0.1:${port}?tls=false` });
  try {
    // It gets no answer: what counts is how the client introduces itself.
    const read = client.readStream('any');
    read.on('error', () => undefined);
    read.resume();
    assert.is((await announced).initialWindowSize, 1024 * 1024);
  } finally {
    await client.dispose();
    server.close();
  }
});

guard.run();
