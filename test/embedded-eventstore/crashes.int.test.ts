import {
  DeadlineExceededError,
  type EventStoreDBClient,
  NO_STREAM,
  START,
} from '@eventstore/db-client';
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openNode } from '../../adapters/embedded-eventstore/node.ts';
import { eventually, keepTrying, within } from '../harness/eventually.ts';
import {
  collect,
  connect,
  type LogUnderTest,
  type OwnNode,
  rejection,
  startOwnLog,
  tried,
  uniqueStream,
} from './support/log-under-test.ts';

const test = suite('crashes');
let log: LogUnderTest & { readonly own: OwnNode };
let client: EventStoreDBClient;

test.before(async () => {
  log = await startOwnLog();
  client = connect(log);
});

test.after(async () => {
  await client.dispose();
  await log.stop();
});

interface Acknowledged {
  readonly id: string;
  readonly stream: string;
  readonly revision: bigint;
  readonly position: bigint;
}

/** Appends one after the other until told to stop, each repeated until it is acknowledged. */
const appendUntil = async (
  stream: string,
  isOver: () => boolean,
  acknowledged: Acknowledged[],
): Promise<void> => {
  for (let n = 0; !isOver(); n += 1) {
    const event = tried({ n });
    const expectedRevision = n === 0 ? NO_STREAM : BigInt(n - 1);
    const { position, nextExpectedRevision } = await keepTrying(() =>
      // The client sets no timer on an append, and its stream may be gone.
      within('an append', client.appendToStream(stream, event, { expectedRevision }), 20_000),
    );
    acknowledged.push({
      id: event.id,
      stream,
      revision: nextExpectedRevision,
      position: position?.commit ?? 0n,
    });
  }
};

const checkAcknowledged = async (prefix: string, acknowledged: readonly Acknowledged[]) => {
  const stored = (await keepTrying(() => collect(client.readAll({ fromPosition: START }))))
    .flatMap(({ event }) => (event?.streamId.startsWith(prefix) ? [event] : []))
    .map(({ id, streamId, revision, position }) => ({
      id,
      stream: streamId,
      revision,
      position: position.commit,
    }));
  const byPosition = [...acknowledged].sort((a, b) => Number(a.position - b.position));
  assert.equal(stored, byPosition);
};

test('four kill -9 under load lose and double nothing that was acknowledged', async () => {
  const prefix = uniqueStream('killed');
  const acknowledged: Acknowledged[] = [];
  let isOver = false;
  const writers = Array.from({ length: 16 }, (_, n) =>
    appendUntil(`${prefix}-${n}`, () => isOver, acknowledged),
  );
  for (let kill = 0; kill < 4; kill += 1) {
    const enough = acknowledged.length + 300;
    await eventually('appends', () => acknowledged.length >= enough);
    const pid = await log.own.pid();
    process.kill(pid, 'SIGKILL');
    await eventually('a new node', async () => (await log.own.pid()) !== pid);
  }
  const enough = acknowledged.length + 300;
  await eventually('appends', () => acknowledged.length >= enough);
  isOver = true;
  await Promise.all(writers);
  await checkAcknowledged(prefix, acknowledged);
});

test('a cut database connection stops writes until the lock is taken again', async () => {
  const prefix = uniqueStream('cut');
  const acknowledged: Acknowledged[] = [];
  let isOver = false;
  const pid = await log.own.pid();
  const live: string[] = [];
  const subscription = client
    .subscribeToStream(`${prefix}-0`)
    .on('data', ({ event }) => live.push(event?.id ?? ''))
    .on('error', () => undefined);
  const writers = Array.from({ length: 8 }, (_, n) =>
    appendUntil(`${prefix}-${n}`, () => isOver, acknowledged),
  );
  const admin = new pg.Client({ connectionString: log.own.databaseUrl });
  await admin.connect();
  for (let cut = 0; cut < 3; cut += 1) {
    const enough = acknowledged.length + 200;
    await eventually('appends', () => acknowledged.length >= enough);
    const { rowCount } = await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name like 'eventstore-%'`,
    );
    assert.ok((rowCount ?? 0) > 0);
  }
  const enough = acknowledged.length + 200;
  await eventually('appends', () => acknowledged.length >= enough);
  isOver = true;
  await Promise.all(writers);
  await admin.end();
  assert.is(await log.own.pid(), pid, 'the node itself goes on');
  await checkAcknowledged(prefix, acknowledged);
  const first = acknowledged.filter(({ stream }) => stream === `${prefix}-0`);
  if (!subscription.destroyed) {
    assert.equal(
      live,
      first.slice(0, live.length).map(({ id }) => id),
    );
  }
  await subscription.unsubscribe();
});

test('a second writer cannot get the lock', async () => {
  const second = await openNode({
    databaseUrl: log.own.databaseUrl,
    hostKind: 'service',
    authorization: null,
    onLog: () => undefined,
  });
  assert.is(second, null);
});

test('stored events cannot be changed or removed', async () => {
  await client.appendToStream(uniqueStream('kept'), tried());
  const admin = new pg.Client({ connectionString: log.own.databaseUrl });
  await admin.connect();
  for (const change of [
    `update eventstore.event set type = 'Changed'`,
    'delete from eventstore.event',
    'truncate eventstore.event',
  ]) {
    assert.match((await rejection(admin.query(change))).message, 'append-only');
  }
  await admin.end();
});

test('a failing insert fails its own request only', async () => {
  const stream = uniqueStream('poisoned');
  const admin = new pg.Client({ connectionString: log.own.databaseUrl });
  await admin.connect();
  await admin.query(`alter table eventstore.event add constraint no_poison
    check (type <> 'Poison') not valid`);
  const results = await Promise.allSettled(
    Array.from({ length: 30 }, (_, n) =>
      client.appendToStream(`${stream}-${n}`, tried({}, { type: n === 15 ? 'Poison' : 'Tried' })),
    ),
  );
  await admin.query('alter table eventstore.event drop constraint no_poison');
  await admin.end();
  for (const [n, { status }] of results.entries()) {
    assert.is(status, n === 15 ? 'rejected' : 'fulfilled');
  }
  await client.appendToStream(`${stream}-15`, tried(), { expectedRevision: NO_STREAM });
});

test('while the database hangs an append is answered at its deadline, and lands once', async () => {
  const stream = uniqueStream('hanging');
  await client.appendToStream(stream, tried(), { expectedRevision: NO_STREAM });
  const admin = new pg.Client({ connectionString: log.own.databaseUrl });
  await admin.connect();
  await admin.query('begin');
  await admin.query('lock table eventstore.event in access exclusive mode');
  const event = tried();
  const append = () =>
    client.appendToStream(stream, event, { expectedRevision: 0n, deadline: 700 });
  const late = await within('the answer', rejection(append()));
  assert.instance(late, DeadlineExceededError);
  await admin.query('rollback');
  await admin.end();
  const { nextExpectedRevision } = await keepTrying(append);
  assert.is(nextExpectedRevision, 1n);
  const next = await client.appendToStream(stream, tried(), { expectedRevision: 1n });
  assert.is(next.nextExpectedRevision, 2n);
});

test('nothing of an event reaches the log lines', async () => {
  const told = JSON.stringify(log.own.lines);
  assert.not.match(told, /Poison|poisoned/u);
  const { password } = new URL(log.own.databaseUrl);
  assert.ok(password.length > 0);
  assert.not(told.includes(password));
});

test.run();
