import { randomUUID } from 'node:crypto';
import {
  ANY,
  BACKWARDS,
  DeadlineExceededError,
  END,
  type EventStoreDBClient,
  MaxAppendSizeExceededError,
  NO_STREAM,
  STREAM_EXISTS,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  collect,
  connect,
  type LogUnderTest,
  rejection,
  startLog,
  tried,
  uniqueStream,
} from '../embedded-eventstore/support/log-under-test.ts';
import { keepTrying } from '../harness/eventually.ts';
import { isAboutNow } from '../harness/real-time.ts';

const test = suite('appending');
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

const revisionsOf = async (stream: string): Promise<bigint[]> =>
  (await collect(client.readStream(stream))).map(({ event }) => event?.revision ?? -1n);

const bytesOf = (value: unknown): number[] => (value instanceof Uint8Array ? [...value] : []);

const upTo = (count: number): bigint[] =>
  Array.from({ length: count }, (_, index) => BigInt(index));

test('revisions count on beyond nine', async () => {
  const stream = uniqueStream('revisions');
  for (const expected of upTo(12)) {
    const expectedRevision = expected === 0n ? NO_STREAM : expected - 1n;
    const result = await client.appendToStream(stream, tried(), { expectedRevision });
    assert.is(result.nextExpectedRevision, expected);
  }
  assert.equal(await revisionsOf(stream), upTo(12));
});

test('revisions count on after a restart, and replays are still known', async () => {
  if (log.own === null) return;
  const stream = uniqueStream('restart');
  const events = upTo(12).map(() => tried());
  const first = await client.appendToStream(stream, events, { expectedRevision: NO_STREAM });
  await log.own.restart();
  const replay = await keepTrying(() =>
    client.appendToStream(stream, events, { expectedRevision: NO_STREAM }),
  );
  assert.equal(replay.position, first.position);
  const anyReplay = await client.appendToStream(stream, events, { expectedRevision: ANY });
  assert.equal(anyReplay.position, first.position);
  const next = await client.appendToStream(stream, tried(), { expectedRevision: 11n });
  assert.is(next.nextExpectedRevision, 12n);
  assert.equal(await revisionsOf(stream), upTo(13));
});

test('after a restart every kind of stream is still what it was', async () => {
  if (log.own === null) return;
  const written = upTo(10).map(() => uniqueStream('written'));
  const fresh = upTo(10).map(() => uniqueStream('fresh'));
  const [ended, hidden, described] = [
    uniqueStream('ended'),
    uniqueStream('hidden'),
    uniqueStream('described'),
  ];
  for (const stream of written) await client.appendToStream(stream, tried());
  await client.tombstoneStream(ended, { expectedRevision: NO_STREAM });
  await client.appendToStream(hidden, [tried(), tried()]);
  await client.deleteStream(hidden);
  await client.setStreamMetadata(described, { maxCount: 1 });
  await log.own.restart();
  await keepTrying(() => client.appendToStream(uniqueStream('first'), tried()));
  const first = (stream: string) =>
    client.appendToStream(stream, [tried(), tried()], { expectedRevision: NO_STREAM });
  const results = await Promise.allSettled(
    [...written, ...fresh, ended, hidden, described].map((stream) => first(stream)),
  );
  for (const result of results.slice(0, 10)) {
    assert.is(result.status, 'rejected');
    if (result.status === 'rejected') assert.instance(result.reason, WrongExpectedVersionError);
  }
  const answers = results
    .slice(10)
    .map((result) =>
      result.status === 'fulfilled' ? result.value.nextExpectedRevision : result.reason.name,
    );
  assert.equal(answers.slice(0, 10), Array(10).fill(1n));
  const [ofEnded, ofHidden, ofDescribed] = results.slice(20);
  assert.ok(ofEnded?.status === 'rejected' && ofEnded.reason instanceof StreamDeletedError);
  assert.ok(ofHidden?.status === 'fulfilled' && ofHidden.value.nextExpectedRevision === 3n);
  assert.is(ofDescribed?.status, 'fulfilled');
  for (const stream of written) assert.equal(await revisionsOf(stream), [0n]);
  assert.equal(await revisionsOf(hidden), [2n, 3n]);
  assert.equal(await revisionsOf(described), [1n]);
});

test('of racing writers with NO_STREAM exactly one wins', async () => {
  const stream = uniqueStream('race');
  const results = await Promise.allSettled(
    upTo(20).map(() => client.appendToStream(stream, tried(), { expectedRevision: NO_STREAM })),
  );
  assert.is(results.filter(({ status }) => status === 'fulfilled').length, 1);
  for (const result of results) {
    if (result.status === 'fulfilled') continue;
    assert.instance(result.reason, WrongExpectedVersionError);
    assert.is(result.reason.actualVersion, 0n);
    assert.is(result.reason.expectedVersion, NO_STREAM);
    assert.is(result.reason.streamName, stream);
  }
});

test('of racing writers with an exact revision exactly one wins each round', async () => {
  const stream = uniqueStream('race');
  await client.appendToStream(stream, tried(), { expectedRevision: NO_STREAM });
  for (const expectedRevision of upTo(10)) {
    const results = await Promise.allSettled(
      upTo(8).map(() => client.appendToStream(stream, tried(), { expectedRevision })),
    );
    assert.is(results.filter(({ status }) => status === 'fulfilled').length, 1);
  }
  assert.equal(await revisionsOf(stream), upTo(11));
});

test('an exact replay below the head returns the original revision and position', async () => {
  const stream = uniqueStream('replay');
  const [a, b, c] = [tried({ n: 1 }), tried({ n: 2 }), tried({ n: 3 })];
  const first = await client.appendToStream(stream, [a, b], { expectedRevision: NO_STREAM });
  const second = await client.appendToStream(stream, c, { expectedRevision: 1n });
  for (let round = 0; round < 2; round += 1) {
    assert.equal(
      await client.appendToStream(stream, [a, b], { expectedRevision: NO_STREAM }),
      first,
    );
    assert.equal(await client.appendToStream(stream, c, { expectedRevision: 1n }), second);
  }
  const prefix = await client.appendToStream(stream, a, { expectedRevision: NO_STREAM });
  assert.is(prefix.nextExpectedRevision, 0n);
  assert.equal(await revisionsOf(stream), upTo(3));
});

test('replays that race with their original are written once', async () => {
  const stream = uniqueStream('replay');
  const event = tried();
  const append = () => client.appendToStream(stream, event, { expectedRevision: NO_STREAM });
  const results = await Promise.allSettled(upTo(10).map(append));
  const original = await append();
  for (const result of results) {
    // EventStoreDB drops a replay that arrives while the original is in flight, and says too late.
    if (result.status === 'rejected') assert.instance(result.reason, DeadlineExceededError);
    else assert.equal(result.value, original);
  }
  assert.ok(results.some(({ status }) => status === 'fulfilled'));
  assert.equal(await revisionsOf(stream), [0n]);
});

test('below the head a differing id is a wrong expected version', async () => {
  const stream = uniqueStream('replay');
  const [a, b] = [tried(), tried()];
  await client.appendToStream(stream, [a, b], { expectedRevision: NO_STREAM });
  for (const events of [[tried()], [a, tried()], [a, b, tried()], [b, a], [b]]) {
    const error = await rejection(
      client.appendToStream(stream, events, { expectedRevision: NO_STREAM }),
    );
    assert.instance(error, WrongExpectedVersionError);
  }
  assert.equal(await revisionsOf(stream), upTo(2));
});

test('above the head, and on a missing stream, an exact revision is wrong', async () => {
  const stream = uniqueStream('wrong');
  const missing = await rejection(client.appendToStream(stream, tried(), { expectedRevision: 0n }));
  assert.instance(missing, WrongExpectedVersionError);
  const none = await rejection(
    client.appendToStream(stream, tried(), { expectedRevision: STREAM_EXISTS }),
  );
  assert.instance(none, WrongExpectedVersionError);
  await client.appendToStream(stream, tried(), { expectedRevision: NO_STREAM });
  const above = await rejection(client.appendToStream(stream, tried(), { expectedRevision: 5n }));
  assert.instance(above, WrongExpectedVersionError);
  if (above instanceof WrongExpectedVersionError) assert.is(above.actualVersion, 0n);
  const exists = await client.appendToStream(stream, tried(), { expectedRevision: STREAM_EXISTS });
  assert.is(exists.nextExpectedRevision, 1n);
});

test('an ANY replay is recognized by its ids', async () => {
  const stream = uniqueStream('any');
  const [a, b] = [tried(), tried()];
  const first = await client.appendToStream(stream, [a, b], { expectedRevision: ANY });
  assert.equal(await client.appendToStream(stream, [a, b], { expectedRevision: ANY }), first);
  const corrupted = await rejection(
    client.appendToStream(stream, [a, tried()], { expectedRevision: ANY }),
  );
  assert.instance(corrupted, WrongExpectedVersionError);
  const fresh = await client.appendToStream(stream, [tried(), a], { expectedRevision: ANY });
  assert.is(fresh.nextExpectedRevision, 3n);
});

test('the same id in another stream, or at the head, is written', async () => {
  const [one, two] = [uniqueStream('ids'), uniqueStream('ids')];
  const event = tried({}, { id: randomUUID() });
  await client.appendToStream(one, event, { expectedRevision: ANY });
  await client.appendToStream(two, event, { expectedRevision: ANY });
  await client.appendToStream(two, event, { expectedRevision: 0n });
  assert.equal(await revisionsOf(one), [0n]);
  assert.equal(await revisionsOf(two), [0n, 1n]);
});

test('an append over 1 MiB is refused, one below is taken', async () => {
  const stream = uniqueStream('size');
  const half = 'x'.repeat(500_000);
  const error = await rejection(
    client.appendToStream(stream, [tried({ half }), tried({ half }), tried({ half })]),
  );
  assert.instance(error, MaxAppendSizeExceededError);
  if (error instanceof MaxAppendSizeExceededError) assert.is(error.maxAppendSize, 1_048_576);
  await client.appendToStream(stream, [tried({ half }), tried({ half })]);
  const read = await collect(client.readStream(stream));
  assert.equal(
    read.map(({ event }) => event?.data),
    [{ half }, { half }],
  );
});

test('a big group of events is one append', async () => {
  const stream = uniqueStream('group');
  const events = upTo(2_000).map((n) => tried({ n: Number(n) }));
  const result = await client.appendToStream(stream, events, { expectedRevision: NO_STREAM });
  assert.is(result.nextExpectedRevision, 1_999n);
  const read = await collect(client.readStream(stream));
  assert.equal(
    read.map(({ event }) => event?.id),
    events.map(({ id }) => id),
  );
  assert.equal(read.at(-1)?.event?.position, result.position);
});

test('many appends at once to many streams all land', async () => {
  const streams = upTo(300).map(() => uniqueStream('many'));
  const results = await Promise.all(
    streams.map((stream) =>
      client.appendToStream(stream, tried(), { expectedRevision: NO_STREAM }),
    ),
  );
  const positions = results.map(({ position }) => position?.commit);
  assert.is(new Set(positions).size, 300);
});

test('a NUL harms no other request', async () => {
  const streams = upTo(40).map(() => uniqueStream('nul'));
  const results = await Promise.allSettled([
    ...streams.map((stream) => client.appendToStream(stream, tried())),
    client.appendToStream(`${uniqueStream('nul')}\0`, tried()),
    client.appendToStream(uniqueStream('nul'), tried({}, { type: 'Tried\0' })),
    ...streams.map((stream) => client.appendToStream(stream, tried({ text: '\0' }))),
  ]);
  for (const [index, result] of results.entries()) {
    if (index === 40 || index === 41) continue; // Refused here, taken by other servers.
    assert.is(result.status, 'fulfilled');
  }
  assert.equal(await revisionsOf(streams[0] ?? ''), [0n, 1n]);
});

test('text, metadata, bytes and names keep every character', async () => {
  const stream = uniqueStream('Ünïcödé 🐣');
  const id = randomUUID();
  const data = { text: 'Žofie 🍼 \u0000 \\ " \u2028', list: ['日本', 'עברית'] };
  await client.appendToStream(stream, [
    { ...tried({}, { id, type: 'Géboren ✓' }), data, metadata: { actor: 'ß' } },
    {
      id: randomUUID(),
      type: 'Raw',
      contentType: 'application/octet-stream',
      data: Uint8Array.from([0, 1, 255, 92]),
      metadata: Uint8Array.from([255, 0]),
    },
  ]);
  const [first, second] = await collect(client.readStream(stream));
  assert.is(first?.event?.streamId, stream);
  assert.is(first?.event?.id, id);
  assert.is(first?.event?.type, 'Géboren ✓');
  assert.equal(first?.event?.data, data);
  assert.equal(first?.event?.metadata, { actor: 'ß' });
  assert.ok(first?.event?.isJson);
  assert.ok(isAboutNow(first?.event?.created.getTime() ?? 0));
  assert.is(second?.event?.isJson, false);
  assert.equal(bytesOf(second?.event?.data), [0, 1, 255, 92]);
  assert.equal(bytesOf(second?.event?.metadata), [255, 0]);
});

test('with credentials the call goes through Append and follows the same rules', async () => {
  const stream = uniqueStream('credentials');
  const credentials = { username: 'admin', password: 'changeit' };
  const event = tried();
  const first = await client.appendToStream(stream, event, {
    expectedRevision: NO_STREAM,
    credentials,
  });
  const replay = await client.appendToStream(stream, event, {
    expectedRevision: NO_STREAM,
    credentials,
  });
  assert.equal(replay, first);
  const wrong = await rejection(
    client.appendToStream(stream, tried(), { expectedRevision: 7n, credentials }),
  );
  assert.instance(wrong, WrongExpectedVersionError);
  if (wrong instanceof WrongExpectedVersionError) {
    assert.is(wrong.expectedVersion, 7n);
    assert.is(wrong.actualVersion, 0n);
  }
  const big = { half: 'x'.repeat(600_000) };
  const tooBig = await rejection(
    client.appendToStream(stream, [tried(big), tried(big)], { credentials }),
  );
  assert.instance(tooBig, MaxAppendSizeExceededError);
});

test('a deadline that has passed is answered, and nothing is written', async () => {
  const stream = uniqueStream('deadline');
  await client.appendToStream(stream, tried()); // The long stream of the client is open now.
  const error = await rejection(client.appendToStream(stream, tried(), { deadline: -1_000 }));
  assert.instance(error, DeadlineExceededError);
  assert.equal(await revisionsOf(stream), [0n]);
});

test('of an append that is too large and too late, the answer is too late', async () => {
  const stream = uniqueStream('deadline');
  await client.appendToStream(stream, tried());
  const events = upTo(30_000).map((n) => tried({ n: Number(n), message: 'test' }));
  const error = await rejection(client.appendToStream(stream, events, { deadline: 1 }));
  assert.instance(error, DeadlineExceededError);
  assert.equal(await revisionsOf(stream), [0n]);
});

test('a soft-deleted stream is hidden and goes on when it is written again', async () => {
  const stream = uniqueStream('deleted');
  await client.appendToStream(stream, [tried(), tried()]);
  const wrong = await rejection(client.deleteStream(stream, { expectedRevision: 0n }));
  assert.instance(wrong, WrongExpectedVersionError);
  const { position } = await client.deleteStream(stream, { expectedRevision: 1n });
  assert.ok(position);
  assert.instance(await rejection(collect(client.readStream(stream))), StreamNotFoundError);
  const exists = await rejection(
    client.appendToStream(stream, tried(), { expectedRevision: STREAM_EXISTS }),
  );
  assert.instance(exists, StreamDeletedError);
  const again = await client.appendToStream(stream, [tried(), tried()], {
    expectedRevision: NO_STREAM,
  });
  assert.is(again.nextExpectedRevision, 3n);
  assert.equal(await revisionsOf(stream), [2n, 3n]);
  const { metadata } = await client.getStreamMetadata(stream);
  assert.is(metadata?.truncateBefore, 2);
});

test('a stream that never was cannot be deleted', async () => {
  const error = await rejection(client.deleteStream(uniqueStream('never')));
  assert.instance(error, WrongExpectedVersionError);
});

test('a tombstone ends a stream for ever', async () => {
  const stream = uniqueStream('tombstone');
  await client.appendToStream(stream, tried());
  const wrong = await rejection(client.tombstoneStream(stream, { expectedRevision: 4n }));
  assert.instance(wrong, WrongExpectedVersionError);
  await client.tombstoneStream(stream, { expectedRevision: 0n });
  const attempts = [
    () => client.appendToStream(stream, tried()),
    () => client.appendToStream(stream, tried(), { expectedRevision: NO_STREAM }),
    () => client.appendToStream(stream, tried(), { expectedRevision: 0n }),
    () => client.deleteStream(stream),
    () => client.tombstoneStream(stream),
    () => collect(client.readStream(stream)),
    () => collect(client.readStream(stream, { direction: BACKWARDS, fromRevision: END })),
  ];
  for (const attempt of attempts) assert.instance(await rejection(attempt()), StreamDeletedError);
  await client.tombstoneStream(uniqueStream('tombstone'), { expectedRevision: NO_STREAM });
});

test('metadata is kept, replaced and limits what readers see', async () => {
  const stream = uniqueStream('metadata');
  await client.appendToStream(
    stream,
    upTo(6).map(() => tried()),
  );
  assert.equal(await client.getStreamMetadata(stream), { streamName: stream });
  await client.setStreamMetadata(stream, { maxCount: 2, color: 'red' });
  assert.equal((await client.getStreamMetadata(stream)).metadata, { maxCount: 2, color: 'red' });
  assert.equal(await revisionsOf(stream), [4n, 5n]);
  await client.setStreamMetadata(stream, { truncateBefore: 3 });
  assert.equal(await revisionsOf(stream), [3n, 4n, 5n]);
  const backwards = await collect(
    client.readStream(stream, { direction: BACKWARDS, fromRevision: END }),
  );
  assert.equal(
    backwards.map(({ event }) => event?.revision),
    [5n, 4n, 3n],
  );
  await client.setStreamMetadata(stream, {});
  assert.equal(await revisionsOf(stream), upTo(6));
});

test.run();
