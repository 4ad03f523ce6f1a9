import { randomUUID } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { EventLog } from '../../../adapters/event-log/event-log.ts';
import type { StreamCache } from '../../../adapters/postgres/read-model/stream-cache.ts';
import { cacheStreams, guardLog, readLogOrCache } from '../../../api/stores/guarded-log.ts';
import type { StreamEvent } from '../../../domain/event-log.ts';
import { EventLogRefused, EventLogUnavailable } from '../../../domain/event-log-errors.ts';
import { logInMemory } from '../../support/in-memory.ts';

const STREAM = 'key-one';
const CONTEXT = {
  correlationId: 'test',
  causationId: null,
  actor: { kind: 'operator', id: 'Sam Reyes' },
} as const;
const revoked = () => ({
  id: randomUUID(),
  event: { type: 'ApiKeyRevoked', data: { keyId: 'one' } },
});

const keptInMemory = () => {
  const streams = new Map<string, readonly StreamEvent[]>();
  const writes: string[] = [];
  let isAway = false;
  const kept: StreamCache = {
    async put(stream, events) {
      writes.push(stream);
      if (isAway && events.length > 0) throw new Error('away');
      if (events.length === 0) streams.delete(stream);
      else streams.set(stream, events);
    },
    find: async (stream) => streams.get(stream) ?? null,
  };
  const failToKeep = () => {
    isAway = true;
  };
  return { kept, streams, writes, failToKeep };
};

const opened = () => {
  const memory = keptInMemory();
  const log = logInMemory() as unknown as EventLog;
  return { ...memory, underneath: log, log: cacheStreams(log, memory.kept) };
};

test('a stream that pushes need is kept when it is read, and again only when it has changed', async () => {
  const { underneath, log, streams, writes } = opened();
  await underneath.append(STREAM, 'no-stream', [revoked()], CONTEXT);
  await log.readStream(STREAM);
  await log.readStream(STREAM);
  assert.equal(writes, [STREAM]);
  await underneath.append(STREAM, 0n, [revoked()], CONTEXT);
  await log.readStream(STREAM);
  assert.is(streams.get(STREAM)?.length, 2);
});

test('what is appended to it is kept at once, and other streams are not', async () => {
  const { log, streams } = opened();
  await log.append(STREAM, 'no-stream', [revoked()], CONTEXT);
  await log.append('record-one', 'no-stream', [revoked()], CONTEXT);
  await log.readStream('record-one');
  assert.equal([...streams.keys()], [STREAM]);
});

test('a change that cannot be kept leaves nothing kept of before', async () => {
  const { log, streams, failToKeep } = opened();
  await log.append(STREAM, 'no-stream', [revoked()], CONTEXT);
  failToKeep();
  assert.is((await log.append(STREAM, 0n, [revoked()], CONTEXT)).kind, 'appended');
  assert.is(streams.size, 0);
});

test('a read succeeds although nothing can be kept', async () => {
  const { underneath, log, failToKeep } = opened();
  await underneath.append(STREAM, 'no-stream', [revoked()], CONTEXT);
  failToKeep();
  assert.is((await log.readStream(STREAM)).length, 1);
});

test('what was kept counts while the log is away, and not when it refuses', async () => {
  const { kept, log } = opened();
  await log.append(STREAM, 'no-stream', [revoked()], CONTEXT);
  const failing = (error: Error) => {
    const readStream = () => Promise.reject(error);
    return readLogOrCache({ log: { ...log, readStream }, isOpen: () => true }, kept);
  };
  const away = new EventLogUnavailable('away');
  assert.is((await failing(away)(STREAM)).length, 1);
  const faultOf = (read: Promise<unknown>) =>
    read.then(
      () => null,
      (error: unknown) => error,
    );
  assert.is(await faultOf(failing(away)('key-other')), away);
  const refused = new EventLogRefused('refused');
  assert.is(await faultOf(failing(refused)(STREAM)), refused);
});

test('a log that did not answer is away to everybody until it was checked', async () => {
  const { log, kept } = opened();
  await log.append(STREAM, 'no-stream', [revoked()], CONTEXT);
  const guarded = guardLog(log, Promise.reject(new EventLogUnavailable('away')));
  const unavailable = (ask: Promise<unknown>) =>
    ask.then(
      () => assert.unreachable('it is closed'),
      (error: unknown) => assert.instance(error, EventLogUnavailable),
    );
  await unavailable(guarded.log.append(STREAM, 0n, [revoked()], CONTEXT));
  await unavailable(guarded.log.readStream(STREAM));
  await unavailable(guarded.log.readAll()[Symbol.asyncIterator]().next());
  assert.ok(guarded.wasAway());
  assert.is((await readLogOrCache(guarded, kept)(STREAM)).length, 1);
  await unavailable(readLogOrCache(guarded, kept)('key-other'));
  guarded.open();
  assert.is((await guarded.log.append(STREAM, 0n, [revoked()], CONTEXT)).kind, 'appended');
});

test('a log that is slow is waited for, but not by a push that knows its key', async () => {
  const { log, kept } = opened();
  await log.append(STREAM, 'no-stream', [revoked()], CONTEXT);
  let answer: () => void = () => undefined;
  const guarded = guardLog(
    log,
    new Promise<void>((resolve) => {
      answer = resolve;
    }),
  );
  assert.is((await readLogOrCache(guarded, kept)(STREAM)).length, 1);
  const waiting = guarded.log.readStream(STREAM);
  answer();
  assert.is((await waiting).length, 1);
  assert.not.ok(guarded.wasAway());
});

test.run();
