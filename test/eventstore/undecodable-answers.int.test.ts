import { randomUUID } from 'node:crypto';
import { createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import featuresPb from '@eventstore/db-client/generated/serverfeatures_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connectEventLog, type EventLog } from '../../adapters/event-log/event-log.ts';
import type { LogBatch } from '../../adapters/event-log/follow-log.ts';
import { MessageWriter } from '../../adapters/protobuf/message-writer.ts';
import { EventLogUnavailable } from '../../domain/event-log-errors.ts';

/** A message of gRPC begins with a flag and its length. */
const PREFIX_BYTES = 5;

/** What a server answers a call with: messages, then a status with trailers. */
interface Answer {
  readonly messages: readonly Uint8Array[];
  /** What an append is answered with under its correlation id. */
  readonly ofAppend?: (correlation: string) => Uint8Array;
  readonly status?: string;
  readonly trailers?: Readonly<Record<string, string>>;
}

/** A gRPC server that answers as told. */
const startServer = async () => {
  const server: Http2Server = createServer();
  let answer: Answer = { messages: [] };
  let calls = 0;
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    if (String(headers[':path']).endsWith('/GetSupportedMethods'))
      return respond(stream, { messages: [SUPPORTED_METHODS] });
    calls += 1;
    const isAppend = String(headers[':path']).endsWith('/BatchAppend');
    if (!isAppend) return respond(stream, answer);
    stream.once('data', (request: Buffer) => {
      const { ofAppend } = answer;
      const asked = streams.BatchAppendReq.deserializeBinary(request.subarray(PREFIX_BYTES));
      const correlation = asked.getCorrelationId()?.getString() ?? '';
      respond(stream, ofAppend ? { ...answer, messages: [ofAppend(correlation)] } : answer);
    });
  });
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: { connectionString: `esdb://127.0.0.1:${port}?tls=false` },
    answersWith(next: Answer) {
      answer = next;
    },
    calls: () => calls,
    stop() {
      for (const session of sessions) session.destroy();
      server.close();
    },
  };
};

const respond = (stream: ServerHttp2Stream, { messages, status = '0', trailers = {} }: Answer) => {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': status, ...trailers }));
  for (const message of messages) {
    const head = Buffer.alloc(PREFIX_BYTES);
    head.writeUInt32BE(message.length, 1);
    stream.write(Buffer.concat([head, message]));
  }
  stream.end();
};

const SUPPORTED_METHODS = new featuresPb.SupportedMethods()
  .setEventStoreServerVersion('99.1.0')
  .setMethodsList([
    new featuresPb.SupportedMethod()
      .setServiceName('event_store.client.streams.Streams')
      .setMethodName('BatchAppend'),
  ])
  .serializeBinary();

const writer = new MessageWriter();
const nested = (field: number, write: () => void) => {
  const start = writer.open(field);
  write();
  writer.close(start);
};
const message = (write: () => void): Buffer => {
  write();
  return writer.finish();
};

type Part = 'id' | 'stream' | 'none';

/** A `ReadResp` with one event of ours, without one of its parts. */
const eventWithout = (
  missing: Part,
  wire: { readonly isUnknown?: boolean; readonly isLink?: boolean } = {},
) =>
  message(() =>
    nested(1, () => {
      const recorded = () => {
        if (missing !== 'id') nested(1, () => writer.text(2, randomUUID()));
        if (missing !== 'stream') nested(2, () => writer.text(3, 'key-a'));
        writer.integer(3, 0);
        writer.integer(4, 7);
        writer.integer(5, 7);
        writer.entry(6, 'content-type', 'application/json');
        writer.entry(6, 'type', 'ApiKeyRevoked');
        writer.text(7, JSON.stringify(METADATA));
        writer.text(8, JSON.stringify({ keyId: 'a' }));
        if (wire.isUnknown) writer.text(90, 'of a later server');
      };
      nested(1, recorded);
      if (wire.isLink) nested(2, recorded);
      if (wire.isUnknown) writer.integer(91, 5);
    }),
  );

const GIVEN_UP_MS = 10_000;

const METADATA = {
  schemaVersion: 1,
  correlationId: 'test',
  causationId: null,
  actor: { kind: 'service', id: 'test' },
  recordedAt: '2026-03-01T10:00:00.000Z',
};

const GARBAGE = Buffer.from('ffffffffffffffffffffff', 'hex');

/** Trailers that the client reads further parts of, which are not there. */
const EXCEPTIONS = [
  'not-leader',
  'stream-deleted',
  'wrong-expected-version',
  'maximum-append-size-exceeded',
  'missing-required-metadata-property',
  'user-not-found',
];
const exceptions = EXCEPTIONS.map((exception): [string, Answer] => [
  `the exception ${exception} and nothing more`,
  { messages: [], status: '13', trailers: { exception } },
]);

const UNREADABLE: readonly (readonly [name: string, answer: Answer])[] = [
  ['garbage', { messages: [GARBAGE] }],
  ['an event, then garbage', { messages: [eventWithout('none'), GARBAGE] }],
  ['an event without its id', { messages: [eventWithout('id')] }],
  ['an event without its stream', { messages: [eventWithout('stream')] }],
  ['a link without its stream', { messages: [eventWithout('stream', { isLink: true })] }],
  ...exceptions,
];

const undecodable = suite('answers that cannot be decoded');

interface Tried {
  readonly server: Awaited<ReturnType<typeof startServer>>;
  readonly log: EventLog;
}

/** A test that nothing uncaught may come of: that would end the service. */
const leavesNothingUncaught = (name: string, work: (tried: Tried) => Promise<void>): void => {
  undecodable(name, async () => {
    const uncaught: unknown[] = [];
    const note = (error: unknown) => void uncaught.push(error);
    process.on('uncaughtException', note);
    process.on('unhandledRejection', note);
    const server = await startServer();
    const log = connectEventLog(server.address, { appendMs: 300, giveUpMs: 1_500, readMs: 2_000 });
    try {
      await work({ server, log });
    } finally {
      await log.close();
      server.stop();
      // What a callback throws comes after what it was called for.
      await new Promise((resolve) => setImmediate(resolve));
      process.off('uncaughtException', note);
      process.off('unhandledRejection', note);
    }
    assert.equal(uncaught, []);
  });
};

const faultOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

for (const [name, answer] of UNREADABLE) {
  leavesNothingUncaught(`a read of a stream: ${name}`, async ({ server, log }) => {
    server.answersWith(answer);
    assert.instance(await faultOf(log.readStream('key-a')), Error);
    assert.instance(await faultOf(log.readLeaves('key-a')), Error);
    server.answersWith({ messages: [eventWithout('none')] });
    assert.is((await log.readStream('key-a')).length, 1, 'and the next one is read');
  });

  leavesNothingUncaught(`a read of all: ${name}`, async ({ server, log }) => {
    server.answersWith(answer);
    assert.instance(await faultOf(log.head()), Error);
    assert.instance(await faultOf(log.ahead(0n)), Error);
  });

  leavesNothingUncaught(`a subscription: ${name}`, async ({ server, log }) => {
    server.answersWith(answer);
    const nothing = async () => undefined;
    const follow = (onBatch: (batch: LogBatch) => Promise<void>) =>
      log.follow(null, onBatch, () => undefined, AbortSignal.timeout(GIVEN_UP_MS));
    assert.instance(await faultOf(follow(nothing)), Error);
    // What keeps the tables up follows again after a fault: it goes on as soon as it can.
    server.answersWith({ messages: [eventWithout('none')] });
    let seen = 0;
    await faultOf(
      follow(async ({ entries }) => {
        seen += entries.length;
      }),
    );
    assert.is(seen, 1);
  });
}

leavesNothingUncaught('fields of a later server are passed over', async ({ server, log }) => {
  server.answersWith({ messages: [eventWithout('none', { isUnknown: true })] });
  const [stored] = await log.readStream('key-a');
  assert.equal(stored?.event, { type: 'ApiKeyRevoked', data: { keyId: 'a' } });
  const kinds: string[] = [];
  const followed = log.follow(
    null,
    async ({ entries }) => void kinds.push(...entries.map(({ kind }) => kind)),
    () => undefined,
    AbortSignal.timeout(GIVEN_UP_MS),
  );
  assert.instance(await faultOf(followed), EventLogUnavailable, 'the server ended it');
  assert.equal(kinds, ['event']);
});

/** A `BatchAppendResp` with an error of one field. */
const refusal = (writeField: () => void) => (correlation: string) =>
  message(() => {
    nested(1, () => writer.text(2, correlation));
    nested(2, writeField);
  });

const APPEND_ANSWERS: readonly (readonly [name: string, answer: Answer])[] = [
  ['garbage', { messages: [GARBAGE] }],
  ['an error without its details', { messages: [], ofAppend: refusal(() => writer.integer(1, 9)) }],
  [
    'an error whose details are garbage',
    {
      messages: [],
      ofAppend: refusal(() =>
        nested(3, () => {
          writer.text(1, 'type.googleapis.com/event_store.client.WrongExpectedVersion');
          writer.bytes(2, GARBAGE);
        }),
      ),
    },
  ],
  ...exceptions,
];

for (const [name, answer] of APPEND_ANSWERS)
  leavesNothingUncaught(`an append: ${name}`, async ({ server, log }) => {
    server.answersWith(answer);
    const appended = log.append(
      'key-a',
      'no-stream',
      [{ id: randomUUID(), event: { type: 'ApiKeyRevoked', data: { keyId: 'a' } } }],
      { correlationId: 'test', causationId: null, actor: { kind: 'service', id: 'test' } },
    );
    assert.instance(await faultOf(appended), Error);
    assert.ok(server.calls() > 1, 'it was tried again');
  });

undecodable.run();
