import { readFile } from 'node:fs/promises';
import {
  type AllStreamRecordedEvent,
  type AllStreamResolvedEvent,
  BACKWARDS,
  binaryEvent,
  END,
  type EventStoreDBClient,
  FORWARDS,
  type Position,
  type ResolvedEvent,
  START,
  StreamNotFoundError,
  UnknownError,
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
import { within } from '../harness/eventually.ts';

const test = suite('reading');
let log: LogUnderTest;
let client: EventStoreDBClient;

const EVENTS = 1_200; // More than two pages of the embedded node.
const prefix = uniqueStream('reading');
const numbers = `${prefix}-numbers`;
const others = `${prefix}-others`;
let positions: Position[] = [];

test.before(async () => {
  log = await startLog();
  client = connect(log);
  for (let first = 0; first < EVENTS; first += 100) {
    await client.appendToStream(
      numbers,
      Array.from({ length: 100 }, (_, index) => tried({ n: first + index })),
    );
    await client.appendToStream(others, tried({ first }));
  }
  const stored = await collect(client.readStream(numbers));
  positions = stored.flatMap(({ event }) => event?.position ?? []);
});

test.after(async () => {
  await client.dispose();
  await log.stop();
});

const revisions = async (options: Parameters<EventStoreDBClient['readStream']>[1]) =>
  (await collect(client.readStream(numbers, options))).map(({ event }) => Number(event?.revision));

const range = (from: number, count: number, step = 1): number[] =>
  Array.from({ length: count }, (_, index) => from + index * step);

const own = (events: readonly AllStreamResolvedEvent[]): AllStreamRecordedEvent[] =>
  events.flatMap(({ event }) => (event?.streamId.startsWith(prefix) ? [event] : []));

test('a stream is read from any revision in both directions', async () => {
  assert.equal(await revisions({}), range(0, EVENTS));
  assert.equal(await revisions({ fromRevision: 7n, maxCount: 5 }), range(7, 5));
  assert.equal(await revisions({ fromRevision: 1_190n }), range(1_190, 10));
  assert.equal(await revisions({ fromRevision: 5_000n }), []);
  assert.equal(
    await revisions({ direction: BACKWARDS, fromRevision: END }),
    range(EVENTS - 1, EVENTS, -1),
  );
  assert.equal(await revisions({ direction: BACKWARDS, fromRevision: END, maxCount: 1 }), [
    EVENTS - 1,
  ]);
  assert.equal(
    await revisions({ direction: BACKWARDS, fromRevision: 10n, maxCount: 3 }),
    [10, 9, 8],
  );
  assert.equal(await revisions({ direction: BACKWARDS, fromRevision: 2n }), [2, 1, 0]);
  assert.equal(await revisions({ direction: BACKWARDS, fromRevision: 9_999n, maxCount: 2 }), [
    EVENTS - 1,
    EVENTS - 2,
  ]);
});

test('a stream cannot be read forwards from its end, whether it is there or not', async () => {
  for (const stream of [numbers, uniqueStream('missing')]) {
    const options = { fromRevision: END, direction: FORWARDS } as const;
    const error = await rejection(collect(client.readStream(stream, options)));
    assert.instance(error, UnknownError);
    assert.match(error.message, 'Unexpected ReadStreamResult: Error');
  }
});

test('a missing stream is not found, in both directions', async () => {
  const stream = uniqueStream('missing');
  const forwards = await rejection(collect(client.readStream(stream)));
  assert.instance(forwards, StreamNotFoundError);
  const backwards = await rejection(
    collect(client.readStream(stream, { direction: BACKWARDS, fromRevision: END })),
  );
  assert.instance(backwards, StreamNotFoundError);
});

test('a link is read as it is, or with the event that it leads to', async () => {
  const [target, links] = [uniqueStream('target'), uniqueStream('links')];
  await client.appendToStream(target, [tried({ n: 0 }), tried({ n: 1 })]);
  const link = (to: string) =>
    binaryEvent({ type: '$>', data: Buffer.from(to), metadata: Buffer.from('{}') });
  const { position } = await client.appendToStream(links, [
    link(`1@${target}`),
    link(`7@${target}`),
    link('nowhere'),
    tried({ n: 2 }),
  ]);
  const asTheyAre = await collect(client.readStream(links));
  assert.equal(
    asTheyAre.map(({ event, link }) => [event?.type, link?.type]),
    [...Array(3).fill(['$>', undefined]), ['Tried', undefined]],
  );
  const resolved = await collect(client.readStream(links, { resolveLinkTos: true }));
  const seen = (events: readonly ResolvedEvent[]) =>
    events.map(({ event, link }) => [event?.streamId, event?.revision, link?.revision]);
  const expected = [
    [target, 1n, 0n],
    [undefined, undefined, 1n], // leads to an event that is not there
    [links, 2n, undefined], // leads nowhere
    [links, 3n, undefined],
  ];
  assert.equal(seen(resolved), expected);
  assert.equal(resolved[0]?.event?.data, { n: 1 });
  assert.equal(resolved[0]?.link?.data, Uint8Array.from(Buffer.from(`1@${target}`)));
  const backwards = { resolveLinkTos: true, direction: BACKWARDS, fromRevision: END } as const;
  assert.equal(seen(await collect(client.readStream(links, backwards))), expected.toReversed());
  const all = await collect(
    client.readAll({ resolveLinkTos: true, direction: BACKWARDS, fromPosition: END, maxCount: 4 }),
  );
  assert.equal(all[0]?.event?.position, position);
  assert.equal(seen(all), expected.toReversed());
});

test('all streams are read in one order, whichever way', async () => {
  const forwards = own(await collect(client.readAll({ fromPosition: START })));
  const backwards = own(await collect(client.readAll({ direction: BACKWARDS, fromPosition: END })));
  assert.is(forwards.length, EVENTS + EVENTS / 100);
  assert.equal(
    forwards.map(({ id }) => id),
    backwards.map(({ id }) => id).reverse(),
  );
  for (const [index, event] of forwards.entries()) {
    const before = forwards[index - 1];
    if (before !== undefined) assert.ok(before.position.commit < event.position.commit);
  }
});

test('reads of all streams start at a position: forwards with it, backwards before it', async () => {
  const fromPosition = positions[500];
  const before = positions[499];
  if (fromPosition === undefined || before === undefined) throw new Error('No positions');
  const [at] = await collect(client.readAll({ fromPosition, maxCount: 1 }));
  assert.equal(at?.event?.position, fromPosition);
  const [last] = await collect(client.readAll({ fromPosition, maxCount: 1, direction: BACKWARDS }));
  assert.ok(last?.event?.position);
  assert.ok(last.event.position.commit < fromPosition.commit);
  assert.ok(last.event.position.commit >= before.commit);
  const behind = await collect(client.readAll({ fromPosition: END, direction: FORWARDS }));
  assert.is(own(behind).length, 0);
});

test('a count is met exactly, over several pages too', async () => {
  for (const maxCount of [1, 511, 512, 513, 1_025]) {
    assert.is((await collect(client.readAll({ maxCount }))).length, maxCount);
    assert.is((await collect(client.readStream(numbers, { maxCount }))).length, maxCount);
  }
});

test('positions have gaps: nobody may add one', async () => {
  const steps = positions
    .slice(1)
    .map(({ commit }, index) => commit - (positions[index]?.commit ?? 0n));
  assert.ok(steps.every((step) => step > 1n));
});

const residentBytes = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/u.exec(status)?.[1] ?? 0) * 1024;
};

test('readers that never read cost no memory and harm no writer', async () => {
  const stream = uniqueStream('bulk');
  const text = 'x'.repeat(250_000);
  for (let n = 0; n < 40; n += 1) {
    await client.appendToStream(stream, [tried({ text }), tried({ text }), tried({ text })]);
  }
  const pid = log.own !== null && process.platform === 'linux' ? await log.own.pid() : null;
  const before = pid === null ? 0 : await residentBytes(pid);
  const readers = Array.from({ length: 20 }, () => client.readStream(stream));
  for (const reader of readers) {
    reader.on('error', () => undefined);
    await within('the first event', new Promise((resolve) => reader.once('readable', resolve)));
  }
  const quick = uniqueStream('quick');
  for (let n = 0; n < 100; n += 1) {
    await within('an append', client.appendToStream(quick, tried({ n })));
  }
  if (pid !== null) {
    const grown = (await residentBytes(pid)) - before;
    // Read into memory, the events would take 20 times 30 MB.
    assert.ok(grown < 200_000_000, `grew by ${grown} bytes`);
  }
  for (const reader of readers) await reader.cancel();
  const whole = await collect(client.readStream(stream));
  assert.is(whole.length, 120);
});

test.run();
