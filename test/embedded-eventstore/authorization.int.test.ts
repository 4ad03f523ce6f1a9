import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { connect as connectSocket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  type AppendToStreamOptions,
  type EventStoreDBClient,
  NO_STREAM,
} from '@eventstore/db-client';
import gossipGrpc from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { credentials, status } from '@grpc/grpc-js';
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hostEventStore } from '../../adapters/embedded-eventstore/host.ts';
import { readOrCreateNodePassword } from '../../adapters/embedded-eventstore/password.ts';
import { keepTrying, within } from '../harness/eventually.ts';
import { freePort } from '../harness/ports.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import {
  collect,
  connect,
  type LogUnderTest,
  nodePid,
  type OwnNode,
  rejection,
  startOwnLog,
  tried,
  uniqueStream,
} from './support/log-under-test.ts';

const guard = suite<{
  log: LogUnderTest & { readonly own: OwnNode };
  insider: EventStoreDBClient;
}>('who may ask the node');

guard.before(async (context) => {
  context.log = await startOwnLog();
  context.insider = connect(context.log);
});
guard.after(async ({ log, insider }) => {
  await insider.dispose();
  await log.stop();
});

const basic = (userAndPassword: string): string =>
  `Basic ${Buffer.from(userAndPassword).toString('base64')}`;

const passwordOf = ({ authorization = '' }: LogUnderTest): string =>
  Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().replace('registry:', '');

const subscribed = (subscription: ReturnType<EventStoreDBClient['subscribeToAll']>) =>
  within(
    'the end of a subscription',
    new Promise<never>((_, reject) => {
      subscription.on('error', reject);
      subscription.on('data', () => reject(new Error('It was given an event.')));
      subscription.on('caughtUp', () => reject(new Error('It was let in.')));
    }),
  );

/** Everything that a client can ask of a stream that holds one event. */
const CALLS: Readonly<
  Record<string, (client: EventStoreDBClient, stream: string) => Promise<unknown>>
> = {
  'read a stream': (client, stream) => collect(client.readStream(stream)),
  'read all': (client) => collect(client.readAll({ maxCount: 1 })),
  append: (client, stream) => client.appendToStream(stream, tried()),
  'append by the call of its own': (client, stream) => {
    const named: AppendToStreamOptions = {
      credentials: { username: 'admin', password: 'changeit' },
    };
    return client.appendToStream(stream, tried(), named);
  },
  'set metadata': (client, stream) => client.setStreamMetadata(stream, { maxCount: 1 }),
  'subscribe to all': (client) => subscribed(client.subscribeToAll()),
  'subscribe to a stream': (client, stream) =>
    subscribed(client.subscribeToStream(stream) as ReturnType<typeof client.subscribeToAll>),
  delete: (client, stream) => client.deleteStream(stream),
  tombstone: (client, stream) => client.tombstoneStream(stream),
};

// Linux has all of 127.0.0.0/8, so a port that is open on every address answers there as well.
const [OTHER_ADDRESS = '127.0.0.2'] = Object.values(networkInterfaces())
  .flatMap((addresses = []) => addresses)
  .filter(({ family, internal }) => family === 'IPv4' && !internal)
  .map(({ address }) => address);

guard('no other machine reaches the node', async ({ log }) => {
  const port = Number(/:(\d+)\?/u.exec(log.connectionString)?.[1]);
  const socket = connectSocket(port, OTHER_ADDRESS);
  const error = await rejection(within('the refusal', once(socket, 'connect')));
  socket.destroy();
  assert.is('code' in error && error.code, 'ECONNREFUSED');
});

const STRANGERS: Readonly<Record<string, (log: LogUnderTest) => string | undefined>> = {
  'nobody in particular': () => undefined,
  'another password of the same length': (log) =>
    basic(`registry:${randomBytes(passwordOf(log).length / 2).toString('hex')}`),
  'another user': (log) => basic(`admin:${passwordOf(log)}`),
  'the user without a password': () => basic('registry:'),
  'the password cut short': (log) => basic(`registry:${passwordOf(log).slice(0, -1)}`),
  'the password and more': (log) => basic(`registry:${passwordOf(log)}x`),
  'another scheme': ({ authorization = '' }) => authorization.replace('Basic', 'Bearer'),
  'an empty header': () => '',
};

for (const [who, authorizationOf] of Object.entries(STRANGERS))
  guard(`${who}: refused with whatever is asked, and nothing happens`, async (context) => {
    const { log, insider } = context;
    const stream = uniqueStream('guarded');
    await insider.appendToStream(stream, tried());
    const authorization = authorizationOf(log);
    const { connectionString } = log;
    const stranger = connect({
      connectionString,
      ...(authorization === undefined ? {} : { authorization }),
    });
    for (const [what, call] of Object.entries(CALLS)) {
      const error = await rejection(within(what, call(stranger, stream)));
      assert.is(
        error.name + ('code' in error ? error.code : ''),
        `Error${status.UNAUTHENTICATED}`,
        what,
      );
      assert.not.ok(String(error.stack).includes(passwordOf(log)), what);
    }
    await stranger.dispose();
    const { length } = await collect(insider.readStream(stream));
    assert.is(length, 1);
    assert.equal((await insider.getStreamMetadata(stream)).metadata, undefined);
  });

guard('who shows the password may ask for everything', async ({ log }) => {
  const client = connect(log);
  for (const [what, call] of Object.entries(CALLS)) {
    const stream = uniqueStream('let-in');
    await client.appendToStream(stream, tried(), { expectedRevision: NO_STREAM });
    const outcome = await within(what, call(client, stream)).then(
      () => 'answered',
      (error: Error) => error.message,
    );
    const isLetIn = ['answered', 'It was let in.', 'It was given an event.'].includes(outcome);
    assert.ok(isLetIn, `${what}: ${outcome}`);
  }
  await client.dispose();
});

guard('gossip is for who shows the password, too', async ({ log }) => {
  const address = /esdb:\/\/([^?]+)/u.exec(log.connectionString)?.[1] ?? '';
  const gossip = new gossipGrpc.GossipClient(address, credentials.createInsecure());
  const code = await new Promise((resolve) =>
    gossip.read(new shared.Empty(), (error) => resolve(error?.code)),
  );
  gossip.close();
  assert.is(code, status.UNAUTHENTICATED);
});

guard(
  'the password is the same after the node was killed, and after a restart',
  async (context) => {
    const { log, insider } = context;
    const append = () => insider.appendToStream(uniqueStream('again'), tried());
    process.kill(await log.own.pid(), 'SIGKILL');
    await keepTrying(append);
    await log.own.restart();
    await keepTrying(append);
    const stranger = connect({ connectionString: log.connectionString });
    const error = await rejection(collect(stranger.readAll({ maxCount: 1 })));
    assert.is('code' in error && error.code, status.UNAUTHENTICATED);
    await stranger.dispose();
  },
);

guard(
  'the password is in no argument, no log line and no file beside Postgres',
  async ({ log }) => {
    const { dataDir, lines } = log.own;
    const secrets = [passwordOf(log), log.authorization ?? ''];
    const isToldBy = (text: string) => secrets.some((secret) => text.includes(secret));
    assert.ok(passwordOf(log).length >= 32);
    const { stdout } = await promisify(execFile)('ps', ['-A', '-ww', '-o', 'args']);
    assert.ok(stdout.includes('node-process'));
    assert.not.ok(isToldBy(stdout));
    assert.ok(lines.length > 0);
    assert.not.ok(isToldBy(JSON.stringify(lines)));
    assert.not.ok(isToldBy(log.connectionString));
    const files = await readdir(dataDir, { withFileTypes: true });
    const ours = files.filter((entry) => entry.isFile()).map(({ name }) => name);
    assert.ok(ours.includes('eventstore.json'));
    for (const name of ours)
      assert.not.ok(isToldBy(await readFile(join(dataDir, name), 'utf8')), name);
  },
);

guard('a command that knows the database and nothing else is let in', async ({ log }) => {
  const elsewhere = temporaryDirectory('elsewhere');
  const command = await hostEventStore({
    databaseUrl: log.own.databaseUrl,
    dataDir: elsewhere.path,
    hostKind: 'command',
  });
  const client = connect(command);
  await client.appendToStream(uniqueStream('command'), tried());
  await client.dispose();
  await command.stop();
  elsewhere.remove();
});

guard(
  'a log that was written before there were passwords gets one and keeps its events',
  async () => {
    const old = await startOwnLog(await freePort());
    const stream = uniqueStream('old');
    const before = connect({ connectionString: old.connectionString });
    await before.appendToStream(stream, tried());
    await before.dispose();
    const admin = new pg.Client({ connectionString: old.own.databaseUrl });
    await admin.connect();
    await admin.query('drop table eventstore.password');
    // As with a service of before that still runs: its node asks nobody, and is used.
    const command = await hostEventStore({ ...old.own, hostKind: 'command' });
    const beside = connect(command);
    await beside.appendToStream(stream, tried());
    await beside.dispose();
    await command.stop();
    await admin.query('drop table eventstore.password');
    await admin.end();
    await old.own.stopNode();
    const store = await hostEventStore({ ...old.own, hostKind: 'service' });
    const after = connect(store);
    assert.is((await collect(after.readStream(stream))).length, 2);
    const stranger = connect({ connectionString: store.connectionString });
    const error = await rejection(collect(stranger.readStream(stream)));
    assert.is('code' in error && error.code, status.UNAUTHENTICATED);
    await Promise.all([after.dispose(), stranger.dispose()]);
    await store.stop();
    await old.stop();
  },
);

guard('all who start at once on a new log agree on one password', async () => {
  const log = await startOwnLog(await freePort());
  const clients = Array.from(
    { length: 8 },
    () => new pg.Client({ connectionString: log.own.databaseUrl }),
  );
  await Promise.all(clients.map((client) => client.connect()));
  await log.own.stopNode();
  for (let round = 0; round < 20; round += 1) {
    await clients[0]?.query('drop schema eventstore cascade');
    const passwords = await Promise.all(clients.map(readOrCreateNodePassword));
    assert.is(new Set(passwords).size, 1);
  }
  await Promise.all(clients.map((client) => client.end()));
  await log.stop();
});

guard('with a fixed port the node answers everybody, with or without a password', async () => {
  const port = await freePort();
  const log = await startOwnLog(port);
  assert.is(log.connectionString, `esdb://127.0.0.1:${port}?tls=false`);
  for (const authorization of [undefined, log.authorization, 'Basic nonsense']) {
    const client = connect({
      connectionString: `esdb://127.0.0.1:${port}?tls=false`,
      ...(authorization === undefined ? {} : { authorization }),
    });
    const stream = uniqueStream('open');
    await client.appendToStream(stream, tried());
    assert.is((await collect(client.readStream(stream))).length, 1);
    await client.dispose();
  }
  await log.stop();
});

for (const [first, second] of [
  ['fixed', 'free'],
  ['free', 'fixed'],
] as const)
  guard(`a service with a ${second} port goes on from one with a ${first} port`, async () => {
    const log = await startOwnLog(first === 'fixed' ? await freePort() : undefined);
    const follower = await hostEventStore({
      databaseUrl: log.own.databaseUrl,
      dataDir: log.own.dataDir,
      hostKind: 'service',
      ...(second === 'fixed' ? { port: await freePort() } : {}),
    });
    const client = connect(follower);
    await client.appendToStream(uniqueStream('followed'), tried());
    const pid = await nodePid(log.own.dataDir);
    await log.own.stopNode();
    await keepTrying(() => client.appendToStream(uniqueStream('followed'), tried()));
    assert.is.not(await nodePid(log.own.dataDir), pid);
    const stranger = connect({ connectionString: follower.connectionString });
    const read = collect(stranger.readAll({ maxCount: 1 }));
    const code = await read.then(
      () => status.OK,
      (error: { readonly code?: unknown }) => error.code,
    );
    assert.is(code, second === 'fixed' ? status.OK : status.UNAUTHENTICATED);
    await Promise.all([client.dispose(), stranger.dispose()]);
    await follower.stop();
    await log.stop();
  });

guard.run();
