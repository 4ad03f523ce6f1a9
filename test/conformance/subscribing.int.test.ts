import {
  type AllStreamSubscription,
  BACKWARDS,
  END,
  type EventStoreDBClient,
  eventTypeFilter,
  excludeSystemEvents,
  type Position,
  type ResolvedEvent,
  START,
  StreamDeletedError,
  type StreamSubscription,
  streamNameFilter,
} from '@eventstore/db-client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  collect,
  connect,
  type LogUnderTest,
  startLog,
  tried,
  uniqueStream,
} from '../embedded-eventstore/support/log-under-test.ts';
import { eventually } from '../harness/eventually.ts';

const test = suite('subscribing');
let log: LogUnderTest;
let client: EventStoreDBClient;

test.before(async () => {
  log = await startLog();
  client = connect(log);
});

test.after(async () => {
  await client.dispose();
  await log.stop();
});

interface Followed {
  readonly ids: string[];
  readonly events: ResolvedEvent[];
  /** How many events had come at each caught-up. */
  readonly caughtUp: number[];
  readonly errors: Error[];
  readonly confirmations: number[];
  readonly subscription: AllStreamSubscription | StreamSubscription;
}

const follow = (subscription: AllStreamSubscription | StreamSubscription): Followed => {
  const followed: Followed = {
    ids: [],
    events: [],
    caughtUp: [],
    errors: [],
    confirmations: [],
    subscription,
  };
  subscription.on('data', (resolved: ResolvedEvent) => {
    followed.ids.push(resolved.event?.id ?? '');
    followed.events.push(resolved);
  });
  subscription.on('caughtUp', () => followed.caughtUp.push(followed.events.length));
  subscription.on('confirmation', () => followed.confirmations.push(followed.events.length));
  subscription.on('error', (error: Error) => followed.errors.push(error));
  return followed;
};

const isCaughtUp = (followed: Followed) => () => followed.caughtUp.length > 0;

test('stored events pass into live ones without a gap or a double', async () => {
  const prefix = uniqueStream('handover');
  const filter = streamNameFilter({ prefixes: [prefix] });
  const written: string[] = [];
  const write = async (writer: number, count: number) => {
    for (let n = 0; n < count; n += 1) {
      const events = [tried({ writer, n }), tried({ writer, n })];
      await client.appendToStream(`${prefix}-${writer % 3}`, events);
      written.push(...events.map(({ id }) => id));
    }
  };
  await Promise.all([write(0, 100), write(1, 100), write(2, 100)]);
  const writers = Array.from({ length: 8 }, (_, writer) => write(writer, 120));
  const followers: Followed[] = [];
  for (let n = 0; n < 6; n += 1) {
    followers.push(follow(client.subscribeToAll({ fromPosition: START, filter })));
    await eventually('more is written', () => written.length > 600 + n * 150);
  }
  const streamFollower = follow(client.subscribeToStream(`${prefix}-1`, { fromRevision: START }));
  await Promise.all(writers);
  await eventually(
    'all is seen',
    () => followers.every(({ ids }) => ids.length >= written.length),
    20_000,
  );
  const ofTest = (events: readonly ResolvedEvent[]): string[] =>
    events.flatMap(({ event }) => (event?.streamId.startsWith(prefix) ? [event.id] : []));
  const stored = ofTest(await collect(client.readAll()));
  const backwards = ofTest(
    await collect(client.readAll({ direction: BACKWARDS, fromPosition: END })),
  );
  assert.is(stored.length, written.length);
  assert.equal(stored, backwards.reverse());
  for (const { ids, errors, subscription } of followers) {
    assert.equal(ids, stored);
    assert.equal(errors, []);
    await subscription.unsubscribe();
  }
  const ofStream = (await collect(client.readStream(`${prefix}-1`))).map(({ event }) => event?.id);
  await eventually('the stream is seen', () => streamFollower.ids.length >= ofStream.length);
  assert.equal(streamFollower.ids, ofStream);
  await streamFollower.subscription.unsubscribe();
});

test('caught-up comes after the stored events and before the live ones', async () => {
  const stream = uniqueStream('caught-up');
  await client.appendToStream(stream, [tried(), tried(), tried()]);
  const followed = follow(client.subscribeToStream(stream, { fromRevision: START }));
  await eventually('caught up', isCaughtUp(followed));
  assert.equal(followed.caughtUp, [3]);
  assert.equal(followed.confirmations, [0]);
  await client.appendToStream(stream, tried());
  await eventually('the live event', () => followed.ids.length === 4);
  await followed.subscription.unsubscribe();
});

test('subscriptions start behind a revision or a position, or at the end', async () => {
  const stream = uniqueStream('from');
  const { position } = await client.appendToStream(stream, [tried({ n: 0 }), tried({ n: 1 })]);
  await client.appendToStream(stream, tried({ n: 2 }));
  assert.ok(position);
  const filter = streamNameFilter({ prefixes: [stream] });
  const followers = [
    follow(client.subscribeToStream(stream, { fromRevision: 1n })),
    follow(client.subscribeToAll({ fromPosition: position, filter })),
    follow(client.subscribeToStream(stream, { fromRevision: END })),
    follow(client.subscribeToAll({ fromPosition: END, filter })),
  ];
  for (const followed of followers) await eventually('caught up', isCaughtUp(followed));
  await client.appendToStream(stream, tried({ n: 3 }));
  for (const [index, followed] of followers.entries()) {
    const expected = index < 2 ? [2n, 3n] : [3n];
    await eventually('the events', () => followed.ids.length >= expected.length);
    assert.equal(
      followed.events.map(({ event }) => event?.revision),
      expected,
    );
    await followed.subscription.unsubscribe();
  }
});

test('a stream that does not exist yet is caught up with at its first events', async () => {
  const stream = uniqueStream('later');
  const fromStart = follow(client.subscribeToStream(stream));
  const fromEnd = follow(client.subscribeToStream(stream, { fromRevision: END }));
  await eventually('confirmed', () => fromStart.confirmations.length > 0);
  await eventually('caught up', isCaughtUp(fromEnd));
  // An event of another stream wakes every subscription.
  await client.appendToStream(uniqueStream('other'), tried());
  const later = follow(client.subscribeToStream(stream, { fromRevision: END }));
  await eventually('caught up', isCaughtUp(later));
  await later.subscription.unsubscribe();
  assert.equal(fromStart.caughtUp, []);
  const events = [tried(), tried()];
  await client.appendToStream(stream, events);
  await eventually('caught up', isCaughtUp(fromStart));
  assert.equal(fromStart.caughtUp, [2]);
  for (const followed of [fromStart, fromEnd]) {
    await eventually('the events', () => followed.ids.length === 2);
    assert.equal(
      followed.ids,
      events.map(({ id }) => id),
    );
    await followed.subscription.unsubscribe();
  }
});

test('a soft-deleted stream is as one that does not exist', async () => {
  const stream = uniqueStream('deleted');
  await client.appendToStream(stream, [tried(), tried()]);
  await client.deleteStream(stream);
  const followed = follow(client.subscribeToStream(stream));
  await eventually('confirmed', () => followed.confirmations.length > 0);
  const again = tried();
  await client.appendToStream(stream, again);
  await eventually('caught up', isCaughtUp(followed));
  assert.equal([followed.ids, followed.caughtUp], [[again.id], [1]]);
  await followed.subscription.unsubscribe();
});

test('filters take streams by prefix and regex, and types', async () => {
  const marker = uniqueStream('filters');
  const [one, two] = [`${marker}.a-1`, `${marker}.b-2`];
  const from = await client.appendToStream(marker, tried());
  await client.appendToStream(one, [
    tried({}, { type: `First.${marker}` }),
    tried({}, { type: `Second.${marker}` }),
  ]);
  await client.appendToStream(two, [
    tried({}, { type: `First.${marker}` }),
    tried({}, { type: `Second.${marker}` }),
  ]);
  await client.setStreamMetadata(two, { color: 'red' });
  assert.ok(from.position);
  const regex = (pattern: string) => pattern.replaceAll('MARKER', marker.replaceAll('-', '\\-'));
  const cases = [
    { filter: streamNameFilter({ prefixes: [one] }), count: 2 },
    { filter: streamNameFilter({ prefixes: [one, two] }), count: 4 },
    { filter: streamNameFilter({ regex: regex('^MARKER\\.[ab]-\\d$') }), count: 4 },
    { filter: eventTypeFilter({ prefixes: [`First.${marker}`] }), count: 2 },
    { filter: eventTypeFilter({ regex: regex('^(First|Second)\\.MARKER$') }), count: 4 },
  ];
  for (const { filter, count } of cases) {
    const followed = follow(client.subscribeToAll({ fromPosition: from.position, filter }));
    await eventually('caught up', isCaughtUp(followed));
    assert.is(followed.ids.length, count);
    await followed.subscription.unsubscribe();
  }
  const users = follow(
    client.subscribeToAll({ fromPosition: from.position, filter: excludeSystemEvents() }),
  );
  await eventually('caught up', isCaughtUp(users));
  assert.ok(users.events.length >= 4);
  assert.ok(users.events.every(({ event }) => event?.type.startsWith('$') === false));
  await users.subscription.unsubscribe();
});

test('a filtered subscription tells how far it has looked', async () => {
  const stream = uniqueStream('checkpoints');
  const start = await client.appendToStream(stream, tried());
  assert.ok(start.position);
  await client.appendToStream(
    stream,
    Array.from({ length: 200 }, () => tried()),
  );
  const checkpoints: Position[] = [];
  const filter = streamNameFilter({
    prefixes: [uniqueStream('nobody')],
    maxSearchWindow: 10,
    checkpointInterval: 2,
    checkpointReached: async (_subscription, position) => {
      checkpoints.push(position);
    },
  });
  const followed = follow(client.subscribeToAll({ fromPosition: start.position, filter }));
  await eventually('stored checkpoints', () => checkpoints.length >= 10);
  assert.equal(followed.ids, []);
  for (let n = 0; n < 4; n += 1) {
    await client.appendToStream(
      stream,
      Array.from({ length: 10 }, () => tried()),
    );
  }
  await eventually('live checkpoints', () => checkpoints.length >= 12);
  const ordered = checkpoints.map(({ commit }) => commit);
  assert.equal(
    ordered,
    [...ordered].sort((a, b) => Number(a - b)),
  );
  assert.ok(ordered.every((commit) => commit > (start.position?.commit ?? 0n)));
  await followed.subscription.unsubscribe();

  // From a checkpoint a subscription goes on with the event behind it.
  const fromPosition = checkpoints[3];
  assert.ok(fromPosition);
  const again = follow(
    client.subscribeToAll({ fromPosition, filter: streamNameFilter({ prefixes: [stream] }) }),
  );
  await eventually('caught up', isCaughtUp(again));
  const stored = await collect(client.readStream(stream));
  const expected = stored.filter(
    ({ event }) => (event?.position?.commit ?? 0n) > fromPosition.commit,
  );
  assert.equal(
    again.ids,
    expected.map(({ event }) => event?.id),
  );
  await again.subscription.unsubscribe();
});

test('a tombstone ends the subscriptions of its stream', async () => {
  const stream = uniqueStream('ended');
  await client.appendToStream(stream, tried());
  const live = follow(client.subscribeToStream(stream));
  await eventually('caught up', isCaughtUp(live));
  await client.tombstoneStream(stream);
  await eventually('the end', () => live.errors.length > 0);
  assert.instance(live.errors[0], StreamDeletedError);
  const late = follow(client.subscribeToStream(stream));
  await eventually('the refusal', () => late.errors.length > 0);
  assert.instance(late.errors[0], StreamDeletedError);
});

test('subscribers that left are forgotten and the rest go on', async () => {
  const stream = uniqueStream('left');
  const subscribe = () => follow(client.subscribeToStream(stream, { fromRevision: END }));
  const leaving = Array.from({ length: 50 }, subscribe);
  const staying = subscribe();
  for (const followed of [...leaving, staying]) {
    await eventually('caught up', isCaughtUp(followed));
  }
  await Promise.all(leaving.map(({ subscription }) => subscription.unsubscribe()));
  const events = Array.from({ length: 20 }, (_, n) => tried({ n }));
  for (const event of events) await client.appendToStream(stream, event);
  await eventually('the events', () => staying.ids.length === 20);
  assert.equal(
    staying.ids,
    events.map(({ id }) => id),
  );
  assert.equal(
    leaving.flatMap(({ ids }) => ids),
    [],
  );
  await staying.subscription.unsubscribe();
});

test.run();
