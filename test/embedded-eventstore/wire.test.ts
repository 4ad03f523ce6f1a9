import { mock } from 'node:test';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import fc from 'fast-check';
import durationPb from 'google-protobuf/google/protobuf/duration_pb.js';
import emptyPb from 'google-protobuf/google/protobuf/empty_pb.js';
import timestampPb from 'google-protobuf/google/protobuf/timestamp_pb.js';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  decodeBatchPart,
  decodeProposedEvent,
  decodeWriteRequest,
  encodeAppended,
  encodeDeleted,
  encodeWritten,
} from '../../adapters/embedded-eventstore/protocol/append-messages.ts';
import { encodeReadEvent } from '../../adapters/embedded-eventstore/protocol/event-messages.ts';
import { parseLinkTarget } from '../../adapters/embedded-eventstore/protocol/links.ts';
import { encodeUuid } from '../../adapters/embedded-eventstore/protocol/messages.ts';
import { ANY, NO_STREAM, STREAM_EXISTS } from '../../adapters/embedded-eventstore/store/decide.ts';
import { InvalidRequest } from '../../adapters/embedded-eventstore/store/errors.ts';
import { MessageReader } from '../../adapters/protobuf/message-reader.ts';
import { runs } from '../support/runs.ts';

const bytes = fc.uint8Array({ maxLength: 40_000 });
const words = fc.string({ unit: 'binary', maxLength: 200 });
const int63 = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
// The first event is not at the log's start: positions grow by the size of what is written.
const aPosition = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n });
const name = words.filter((text) => text !== '');
const hex = (message: Uint8Array): string => Buffer.from(message).toString('hex');
const utf8 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'utf8'));

test('an event is answered byte for byte as the generated classes write it', () => {
  const event = fc.record({
    position: aPosition,
    stream: name,
    revision: int63,
    id: fc.uuid(),
    type: words,
    isJson: fc.boolean(),
    data: bytes,
    meta: bytes,
    created: int63,
  });
  fc.assert(
    fc.property(event, fc.boolean(), (given, isStructured) => {
      const position = String(given.position);
      const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
        .setId(encodeUuid(given.id, isStructured))
        .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(utf8(given.stream)))
        .setStreamRevision(String(given.revision))
        .setPreparePosition(position)
        .setCommitPosition(position)
        .setData(given.data)
        .setCustomMetadata(given.meta);
      recorded
        .getMetadataMap()
        .set('type', given.type)
        .set('content-type', given.isJson ? 'application/json' : 'application/octet-stream')
        .set('created', String(given.created));
      const message = new streams.ReadResp().setEvent(
        new streams.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(position),
      );
      assert.is(hex(encodeReadEvent(given, isStructured)), hex(message.serializeBinary()));
    }),
    runs(),
  );
});

test('a written append is answered byte for byte as the generated classes write it', () => {
  fc.assert(
    fc.property(
      fc.uuid(),
      fc.boolean(),
      int63,
      aPosition,
      (id, isStructured, revision, position) => {
        const correlation = encodeUuid(id, isStructured);
        const at = String(position);
        const message = new streams.BatchAppendResp()
          .setCorrelationId(correlation)
          .setSuccess(
            new streams.BatchAppendResp.Success()
              .setCurrentRevision(String(revision))
              .setPosition(
                new shared.AllStreamPosition().setCommitPosition(at).setPreparePosition(at),
              ),
          );
        const outcome = { kind: 'written', revision, position } as const;
        assert.is(
          hex(encodeWritten(correlation.serializeBinary(), outcome)),
          hex(message.serializeBinary()),
        );
      },
    ),
    runs(),
  );
});

test('the end of a single append, a delete, or a tombstone is answered byte for byte, too', () => {
  fc.assert(
    fc.property(int63, aPosition, (revision, position) => {
      const at = String(position);
      const outcome = { kind: 'written', revision, position } as const;
      const { AppendResp, DeleteResp, TombstoneResp } = streams;
      const success = new AppendResp.Success()
        .setCurrentRevision(String(revision))
        .setPosition(new AppendResp.Position().setCommitPosition(at).setPreparePosition(at));
      const appended = new AppendResp().setSuccess(success);
      assert.is(hex(encodeAppended(outcome)), hex(appended.serializeBinary()));
      const deleted = new DeleteResp().setPosition(
        new DeleteResp.Position().setCommitPosition(at).setPreparePosition(at),
      );
      const ended = new TombstoneResp().setPosition(
        new TombstoneResp.Position().setCommitPosition(at).setPreparePosition(at),
      );
      for (const message of [deleted, ended])
        assert.is(hex(encodeDeleted(outcome)), hex(message.serializeBinary()));
    }),
    runs(),
  );
});

const proposedMessage = (id: string, type: string, isStructured: boolean) => {
  const message = new streams.BatchAppendReq.ProposedMessage().setId(encodeUuid(id, isStructured));
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  return message;
};

test('an append is read as the generated classes write it', () => {
  const expected = fc.oneof(int63, fc.constantFrom(ANY, NO_STREAM, STREAM_EXISTS));
  const deadline = fc.option(fc.integer({ min: -1_000, max: 4_102_444_800_000 }));
  const event = fc.record({
    id: fc.uuid(),
    data: bytes,
    meta: bytes,
    isStructured: fc.boolean(),
    type: words.filter((text) => text !== '' && !text.includes('\0')),
  });
  fc.assert(
    fc.property(words, expected, deadline, fc.array(event, { maxLength: 3 }), (...given) => {
      const [stream, expectation, until, events] = given;
      const options = new streams.BatchAppendReq.Options().setStreamIdentifier(
        new shared.StreamIdentifier().setStreamName(utf8(stream)),
      );
      if (expectation === ANY) options.setAny(new emptyPb.Empty());
      else if (expectation === NO_STREAM) options.setNoStream(new emptyPb.Empty());
      else if (expectation === STREAM_EXISTS) options.setStreamExists(new emptyPb.Empty());
      else options.setStreamPosition(String(expectation));
      if (until !== null) options.setDeadline(timestampPb.Timestamp.fromDate(new Date(until)));
      const correlation = new shared.UUID().setString('any');
      const message = new streams.BatchAppendReq()
        .setCorrelationId(correlation)
        .setOptions(options)
        .setIsFinal(true);
      for (const { id, type, data, meta, isStructured } of events)
        message.addProposedMessages(
          proposedMessage(id, type, isStructured).setData(data).setCustomMetadata(meta),
        );
      const part = decodeBatchPart(message.serializeBinary());
      assert.is(hex(part.correlation ?? utf8('none')), hex(correlation.serializeBinary()));
      assert.ok(part.isFinal);
      assert.is(hex(part.options?.stream ?? utf8('none')), hex(utf8(stream)));
      assert.is(part.options?.expected, expectation);
      assert.is(part.options?.deadline, until ?? Number.POSITIVE_INFINITY);
      const found = part.proposed
        .map(decodeProposedEvent)
        .map(({ data, meta, ...rest }) => ({ ...rest, data: hex(data), meta: hex(meta) }));
      assert.equal(
        found,
        events.map(({ id, type, data, meta }) => ({
          id,
          type,
          isJson: true,
          data: hex(data),
          meta: hex(meta),
        })),
      );
    }),
    runs(),
  );
});

test('a single append, a delete, and a tombstone are read like an append of a batch', () => {
  const { AppendReq, DeleteReq, TombstoneReq } = streams;
  const one = new shared.StreamIdentifier().setStreamName(utf8('one'));
  const empty = new shared.Empty();
  const appends = new AppendReq.Options().setStreamIdentifier(one);
  const deletes = new DeleteReq.Options().setStreamIdentifier(one);
  const ends = new TombstoneReq.Options().setStreamIdentifier(one);
  const requests: readonly (readonly [Uint8Array, bigint])[] = [
    [new AppendReq().setOptions(appends.setNoStream(empty)).serializeBinary(), NO_STREAM],
    [new AppendReq().setOptions(appends.setRevision('7')).serializeBinary(), 7n],
    [new DeleteReq().setOptions(deletes.setAny(empty)).serializeBinary(), ANY],
    [new DeleteReq().setOptions(deletes.setRevision('7')).serializeBinary(), 7n],
    [new TombstoneReq().setOptions(ends.setStreamExists(empty)).serializeBinary(), STREAM_EXISTS],
    [new TombstoneReq().setOptions(ends.setRevision('7')).serializeBinary(), 7n],
  ];
  for (const [request, expected] of requests) {
    const { options, proposed } = decodeWriteRequest(request);
    assert.is(hex(options?.stream ?? utf8('none')), hex(utf8('one')));
    assert.is(options?.expected, expected);
    assert.is(proposed, null);
  }
  const id = '5b8b005a-4df2-432f-bfc6-c60258cb1e09';
  const message = new AppendReq.ProposedMessage()
    .setId(encodeUuid(id, true))
    .setData(utf8('{}'))
    .setCustomMetadata(utf8('[]'));
  message.getMetadataMap().set('type', 'Tried').set('content-type', 'application/json');
  const request = new AppendReq().setProposedMessage(message).serializeBinary();
  const { options, proposed } = decodeWriteRequest(request);
  assert.is(options, null);
  const { data, meta, ...rest } = decodeProposedEvent(proposed ?? MessageReader.of(utf8('')));
  assert.equal(rest, { id, type: 'Tried', isJson: true });
  assert.equal([hex(data), hex(meta)], [hex(utf8('{}')), hex(utf8('[]'))]);
});

const NOW_MS = Date.UTC(2026, 10, 29);

test('a deadline that is a duration counts on the clock of the node', () => {
  const requests: readonly (readonly [Uint8Array, number])[] = [
    [new durationPb.Duration().setSeconds(2).setNanos(500_000_000).serializeBinary(), 2_500],
    [new durationPb.Duration().serializeBinary(), 0],
    [new durationPb.Duration().setSeconds(-1).setNanos(-500_000_000).serializeBinary(), -1_500],
  ];
  for (const [duration, durationMs] of requests) {
    const options = Buffer.from([0x3a, duration.length, ...duration]);
    const message = Buffer.from([0x12, options.length, ...options]);
    const clock = mock.method(Date, 'now', () => NOW_MS);
    try {
      assert.is(decodeBatchPart(message).options?.deadline, NOW_MS + durationMs);
    } finally {
      clock.mock.restore();
    }
  }
});

test('fields from a later version of the protocol are passed over', () => {
  const later = Buffer.from([0x78, 0x85, 0x01, 0x7a, 0x01, 0x41, 0x7d, 1, 2, 3, 4]);
  const known = new streams.BatchAppendReq().setIsFinal(true).serializeBinary();
  assert.ok(decodeBatchPart(Buffer.concat([later, known])).isFinal);
});

test('bytes that are cut off or no message are refused, whatever they are', () => {
  const whole = Buffer.from(
    new streams.BatchAppendReq()
      .setCorrelationId(new shared.UUID().setString('correlation'))
      .setIsFinal(true)
      .serializeBinary(),
  );
  assert.throws(() => decodeBatchPart(whole.subarray(0, whole.length - 3)), /cut off/);
  assert.throws(() => decodeBatchPart(Buffer.alloc(20, 0xff)), /too large/);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (some) => {
      try {
        decodeBatchPart(some);
      } catch (thrown) {
        assert.is((thrown as Error).name, 'MalformedMessage');
      }
    }),
    runs(),
  );
});

test('an event without an id, a type or Unicode text in it cannot be stored', () => {
  const id = '5b8b005a-4df2-432f-bfc6-c60258cb1e09';
  const event = (type: string, from = id) =>
    Buffer.from(proposedMessage(from, type, false).serializeBinary());
  const broken = event('Tried~');
  broken[broken.indexOf('~')] = 0xff;
  for (const message of [event(''), event('a\0b'), event('Tried', 'x'), broken, Buffer.alloc(0)])
    assert.throws(
      () => decodeProposedEvent(MessageReader.of(message)),
      (thrown: unknown) => thrown instanceof InvalidRequest,
    );
});

test('a link names a revision and a stream, or nothing', () => {
  const target = (data: string | Uint8Array) =>
    parseLinkTarget({ data: typeof data === 'string' ? utf8(data) : data });
  assert.equal(target('0@a'), { stream: 'a', revision: 0n });
  assert.equal(target('12@user@example-1'), { stream: 'user@example-1', revision: 12n });
  assert.equal(target(`${2n ** 63n - 1n}@a`), { stream: 'a', revision: 2n ** 63n - 1n });
  const none = [
    '',
    '@',
    '1',
    '1@',
    '@a',
    'x@a',
    '-1@a',
    ' 1@a',
    `${2n ** 63n}@a`,
    '1@a\0b',
    '1@$$',
  ];
  for (const data of none) assert.is(target(data), null, data);
  assert.is(target(Uint8Array.from([0x31, 0x40, 0xff])), null, 'no UTF-8');
});

test.run();
