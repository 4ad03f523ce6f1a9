import type { EventData, RecordedEvent } from '@eventstore/db-client';
import convert from '@eventstore/db-client/dist/utils/convertGrpcEvent.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import statusPb from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import fc from 'fast-check';
import emptyPb from 'google-protobuf/google/protobuf/empty_pb.js';
import timestampPb from 'google-protobuf/google/protobuf/timestamp_pb.js';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decodeJson } from '../../adapters/event-log/event-catalog.ts';
import {
  decodeAppendResponse,
  encodeAppendRequest,
  serializeEvent,
} from '../../adapters/package-internals/event-store-client/append-wire.ts';
import {
  decodeReadResponse,
  StoredContent,
} from '../../adapters/package-internals/event-store-client/read-wire.ts';
import { runs, SEED } from '../support/runs.ts';

const bytes = (maxLength = 300) => fc.uint8Array({ maxLength });
const words = (maxLength = 200) => fc.string({ unit: 'binary', maxLength });
const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const expectation = fc.oneof(
  uint64,
  fc.constantFrom('no_stream' as const, 'any' as const, 'stream_exists' as const),
);
const sent = fc.record({
  id: fc.uuid(),
  type: words(),
  contentType: fc.constantFrom('application/json', 'x'),
  data: bytes(40_000),
  metadata: bytes(),
});

const uuid = (text: string) => new shared.UUID().setString(text);
const identifier = (name: string) =>
  new shared.StreamIdentifier().setStreamName(Uint8Array.from(Buffer.from(name, 'utf8')));

/** The generated classes know a moment in field 6 only; a duration in field 7 looks the same. */
const DEADLINE_MOMENT = 0x32;
const DEADLINE_DURATION = 0x3a;

test('an append is written as the generated classes write it, its deadline as a duration', () => {
  const options = fc.record({
    stream: words().filter((name) => name !== ''),
    expected: expectation,
    deadlineMs: fc.integer({ min: -60_000, max: 600_000 }),
  });
  const request = fc.tuple(
    fc.uuid(),
    fc.option(options),
    fc.array(sent, { maxLength: 4 }),
    fc.boolean(),
  );
  fc.assert(
    fc.property(request, ([correlation, head, events, isFinal]) => {
      const message = new streams.BatchAppendReq()
        .setCorrelationId(uuid(correlation))
        .setIsFinal(isFinal);
      const deadline = new timestampPb.Timestamp();
      if (head !== null) {
        deadline
          .setSeconds(Math.trunc(head.deadlineMs / 1_000))
          .setNanos((head.deadlineMs % 1_000) * 1_000_000);
        const made = new streams.BatchAppendReq.Options()
          .setStreamIdentifier(identifier(head.stream))
          .setDeadline(deadline);
        if (head.expected === 'no_stream') made.setNoStream(new emptyPb.Empty());
        else if (head.expected === 'any') made.setAny(new emptyPb.Empty());
        else if (head.expected === 'stream_exists') made.setStreamExists(new emptyPb.Empty());
        else made.setStreamPosition(String(head.expected));
        message.setOptions(made);
      }
      for (const { id, type, contentType, data, metadata } of events) {
        const event = new streams.BatchAppendReq.ProposedMessage()
          .setId(uuid(id))
          .setData(data)
          .setCustomMetadata(metadata);
        event.getMetadataMap().set('type', type).set('content-type', contentType);
        message.addProposedMessages(event);
      }
      const written = encodeAppendRequest(correlation, head, events, isFinal);
      const generated = Buffer.from(message.serializeBinary());
      const made = message.getOptions()?.serializeBinary();
      if (made !== undefined) {
        const end = generated.indexOf(made) + made.length;
        const place = end - deadline.serializeBinary().length - 2;
        assert.is(generated[place], DEADLINE_MOMENT);
        generated[place] = DEADLINE_DURATION;
      }
      assert.is(written.toString('hex'), generated.toString('hex'));
    }),
    runs(),
  );
});

test('data and metadata are sent as the client would send them', () => {
  const event = {
    id: 'a',
    type: 'Tried',
    contentType: 'application/json',
    metadata: undefined,
    data: { name: 'Zoë' },
  };
  const json = serializeEvent({ ...event, metadata: { by: 'x' } } as EventData);
  assert.is(Buffer.from(json.data).toString(), '{"name":"Zoë"}');
  assert.is(Buffer.from(json.metadata).toString(), '{"by":"x"}');
  assert.is(serializeEvent(event as EventData).metadata.length, 0);
  const raw = { ...event, contentType: 'application/octet-stream', data: Uint8Array.of(1, 2) };
  assert.equal([...serializeEvent(raw as EventData).data], [1, 2]);
});

const structured = (most: bigint, least: bigint) =>
  new shared.UUID().setStructured(
    new shared.UUID.Structured()
      .setMostSignificantBits(String(most))
      .setLeastSignificantBits(String(least)),
  );
const halves = (text: string) => {
  const hex = text.replaceAll('-', '');
  const half = (part: string) => BigInt.asIntN(64, BigInt(`0x${part}`));
  return structured(half(hex.slice(0, 16)), half(hex.slice(16)));
};
const someUuid = fc.oneof(fc.uuid().map(uuid), fc.uuid({ version: 4 }).map(halves));

test('a success is read with its correlation, revision and position', () => {
  fc.assert(
    fc.property(fc.uuid(), uint64, fc.option(uint64), (correlation, revision, position) => {
      const success = new streams.BatchAppendResp.Success().setCurrentRevision(String(revision));
      if (position === null) success.setNoPosition(new emptyPb.Empty());
      else
        success.setPosition(
          new shared.AllStreamPosition()
            .setCommitPosition(String(position))
            .setPreparePosition(String(position)),
        );
      const message = new streams.BatchAppendResp()
        .setCorrelationId(uuid(correlation))
        .setSuccess(success);
      assert.equal(decodeAppendResponse(Buffer.from(message.serializeBinary())), {
        correlation,
        error: null,
        revision,
        position,
      });
    }),
    runs(),
  );
});

test('a correlation in its structured form is the same text', () => {
  const message = new streams.BatchAppendResp().setCorrelationId(structured(1n, -1n));
  const { correlation } = decodeAppendResponse(Buffer.from(message.serializeBinary()));
  assert.is(correlation, '00000000-0000-0001-ffff-ffffffffffff');
});

test('a refusal keeps its status', () => {
  const message = new streams.BatchAppendResp()
    .setCorrelationId(uuid('a'))
    .setError(new statusPb.Status().setCode(9).setMessage('Wrong expected version'))
    .setStreamIdentifier(identifier('any'));
  const { correlation, error } = decodeAppendResponse(Buffer.from(message.serializeBinary()));
  assert.is(correlation, 'a');
  assert.is(error?.getMessage(), 'Wrong expected version');
});

const recorded = fc.record({
  id: someUuid,
  stream: words(),
  revision: uint64,
  position: uint64,
  type: words(),
  data: fc.oneof(bytes(), fc.jsonValue()),
  metadata: fc.oneof(bytes(), fc.jsonValue()),
  contentType: fc.constantFrom('application/json', 'application/octet-stream'),
  created: uint64,
});

const asBytes = (value: unknown): Uint8Array =>
  value instanceof Uint8Array ? value : Uint8Array.from(Buffer.from(JSON.stringify(value)));

const recordedMessage = (event: typeof recorded extends fc.Arbitrary<infer T> ? T : never) => {
  const message = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(event.id)
    .setStreamIdentifier(identifier(event.stream))
    .setStreamRevision(String(event.revision))
    .setPreparePosition(String(event.position))
    .setCommitPosition(String(event.position))
    .setData(asBytes(event.data))
    .setCustomMetadata(asBytes(event.metadata));
  const map = message.getMetadataMap();
  map.set('type', event.type).set('content-type', event.contentType);
  map.set('created', String(event.created));
  return message;
};

type Answer = ReturnType<typeof streams.ReadResp.deserializeBinary>;
type Converted = Parameters<typeof convert.convertGrpcEvent>[0];

/** Bytes as the first field of a message: the event of an answer, and what is recorded of it. */
const asField = (bytes: Buffer): Buffer => {
  const length: number[] = [];
  for (let left = bytes.length; ; left >>>= 7) {
    length.push(left > 127 ? (left & 127) | 128 : left);
    if (left <= 127) break;
  }
  return Buffer.concat([Buffer.from([0x0a, ...length]), bytes]);
};

/** What the client makes of an answer; bytes compared as bytes, whatever holds them. */
const converted = (answer: Answer): unknown => {
  const { event, ...rest } = convert.convertGrpcEvent(answer.getEvent() as Converted);
  const content: unknown = event?.data;
  const isStored = content instanceof StoredContent;
  const plain = (value: unknown) => (value instanceof Uint8Array ? [...value] : value);
  return {
    ...rest,
    event: {
      ...event,
      isJson: isStored ? content.isJson : event?.isJson,
      data: plain(isStored ? dataIn(event as RecordedEvent, content) : content),
      metadata: plain(event?.metadata),
    },
  };
};

const dataIn = (event: RecordedEvent, content: StoredContent): unknown => {
  if (!content.isJson) return content.data;
  try {
    return decodeJson(event);
  } catch {
    return content.data.toString();
  }
};

test('the client makes the same of an event as with the generated classes', () => {
  fc.assert(
    fc.property(recorded, fc.option(uint64), (event, position) => {
      const read = new streams.ReadResp.ReadEvent().setEvent(recordedMessage(event));
      if (position !== null) read.setCommitPosition(String(position));
      const message = Buffer.from(new streams.ReadResp().setEvent(read).serializeBinary());
      const light = decodeReadResponse(message);
      assert.not(light instanceof streams.ReadResp);
      assert.equal(
        converted(light as Answer),
        converted(streams.ReadResp.deserializeBinary(message)),
      );
      const { event: read_ } = convert.convertGrpcEvent((light as Answer).getEvent() as Converted);
      const stored = read_?.data as unknown as StoredContent;
      assert.equal([...stored.data], [...asBytes(event.data)]);
      assert.equal([...stored.metadata], [...asBytes(event.metadata)]);
    }),
    runs(),
  );
});

/** A field that no version has yet, of each wire type: number, eight bytes, text, four bytes. */
const UNKNOWN_FIELDS = [
  [0xc0, 0x3e, 0x07],
  [0xc1, 0x3e, 1, 2, 3, 4, 5, 6, 7, 8],
  [0xc2, 0x3e, 0x02, 0x68, 0x69],
  [0xc5, 0x3e, 1, 2, 3, 4],
].map((bytes) => Buffer.from(bytes));

test('an event with fields that a later server adds is read without them', () => {
  const [event] = fc.sample(recorded, { numRuns: 1, seed: SEED });
  if (event === undefined) throw new Error('No event.');
  const inner = Buffer.from(recordedMessage(event).serializeBinary());
  const plain = asField(asField(inner));
  const expected = converted(decodeReadResponse(plain) as Answer);
  for (const unknown of UNKNOWN_FIELDS)
    for (const message of [
      Buffer.concat([unknown, plain]),
      Buffer.concat([plain, unknown]),
      asField(Buffer.concat([unknown, asField(inner)])),
      asField(Buffer.concat([asField(inner), unknown])),
      asField(asField(Buffer.concat([unknown, inner]))),
      asField(asField(Buffer.concat([inner, unknown]))),
    ])
      assert.equal(converted(decodeReadResponse(message) as Answer), expected);
});

test('whatever bytes come, what is decoded is whole: the client would throw in a listener', () => {
  const whole = fc.tuple(recorded, fc.boolean()).map(([event, isLink]) => {
    const read = new streams.ReadResp.ReadEvent().setEvent(recordedMessage(event));
    if (isLink) read.setLink(recordedMessage(event));
    return Buffer.from(new streams.ReadResp().setEvent(read).serializeBinary());
  });
  const changed = fc
    .tuple(
      whole,
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }),
      fc.nat(),
    )
    .map(([message, changes, end]) => {
      for (const [at, byte] of changes) message[at % message.length] = byte;
      return message.subarray(0, 1 + (end % (2 * message.length)));
    });
  fc.assert(
    fc.property(fc.oneof(changed, bytes().map(Buffer.from)), (message) => {
      let answer: Answer;
      try {
        answer = decodeReadResponse(message) as Answer;
      } catch {
        return;
      }
      if (answer.hasEvent()) convert.convertGrpcEvent(answer.getEvent() as Converted);
    }),
    runs(20_000),
  );
});

test('what is no plain event is left to the generated classes', () => {
  const caughtUp = new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp());
  const link = fc.sample(recorded, { numRuns: 1, seed: SEED }).map(recordedMessage)[0];
  const linked = new streams.ReadResp().setEvent(
    new streams.ReadResp.ReadEvent().setEvent(link).setLink(link),
  );
  for (const message of [caughtUp, linked, new streams.ReadResp()])
    assert.instance(decodeReadResponse(Buffer.from(message.serializeBinary())), streams.ReadResp);
});

test.run();
