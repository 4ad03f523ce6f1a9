import { lengthTag, MessageReader, varintTag } from '../../protobuf/message-reader.ts';
import { MessageWriter } from '../../protobuf/message-writer.ts';
import { readUuid } from '../../protobuf/uuid.ts';
import { ANY, NO_STREAM, STREAM_EXISTS } from '../store/decide.ts';
import { InvalidRequest, type Outcome } from '../store/errors.ts';
import type { ProposedEvent } from '../store/event.ts';
import { decodeUtf8 } from './messages.ts';

interface WriteOptions {
  readonly stream: Uint8Array;
  /** Exact revision or one of the expectations of `decide.ts`. */
  readonly expected: bigint;
  /** Wall-clock milliseconds, or infinite without a deadline. */
  readonly deadline: number;
}

/** Its events stay encoded, so a malformed one refuses only its own append. */
export interface AppendRequestPart {
  /** Correlation id as received, a UUID message. */
  readonly correlation: Uint8Array | null;
  readonly options: WriteOptions | null;
  readonly proposed: readonly MessageReader[];
  readonly isFinal: boolean;
}

/** Message of `Append`, `Delete`, or `Tombstone`. Its options and event are those of a batch. */
export interface WriteRequest {
  readonly options: WriteOptions | null;
  readonly proposed: MessageReader | null;
}

const NOTHING = new Uint8Array();

const CORRELATION = lengthTag(1);
const OPTIONS = lengthTag(2);
const PROPOSED = lengthTag(3);
const IS_FINAL = varintTag(4);

/** Handwritten because every append passes here: much faster than the generated classes. */
export const decodeBatchPart = (message: Uint8Array): AppendRequestPart => {
  const reader = MessageReader.of(message);
  const proposed: MessageReader[] = [];
  let correlation: Uint8Array | null = null;
  let options: WriteOptions | null = null;
  let isFinal = false;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === PROPOSED) proposed.push(reader.message());
    else if (tag === CORRELATION) correlation = reader.bytes();
    else if (tag === OPTIONS) options = readOptions(reader.message());
    else if (tag === IS_FINAL) isFinal = reader.flag();
    else reader.skip(tag);
  }
  return { correlation, options, proposed, isFinal };
};

const WRITE_OPTIONS = lengthTag(1);
const WRITE_PROPOSED = lengthTag(2);

export const decodeWriteRequest = (message: Uint8Array): WriteRequest => {
  const reader = MessageReader.of(message);
  let options: WriteOptions | null = null;
  let proposed: MessageReader | null = null;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === WRITE_OPTIONS) options = readOptions(reader.message());
    else if (tag === WRITE_PROPOSED) proposed = reader.message();
    else reader.skip(tag);
  }
  return { options, proposed };
};

const IDENTIFIER = lengthTag(1);
const STREAM_NAME = lengthTag(3);
const POSITION = varintTag(2);
const EXPECTS_NO_STREAM = lengthTag(3);
const EXPECTS_ANY = lengthTag(4);
const EXPECTS_STREAM = lengthTag(5);
/** Absolute time, as sent by the official client. */
const DEADLINE_MOMENT = lengthTag(6);
const DEADLINE_DURATION = lengthTag(7);

const EXPECTATIONS = new Map([
  [EXPECTS_NO_STREAM, NO_STREAM],
  [EXPECTS_ANY, ANY],
  [EXPECTS_STREAM, STREAM_EXISTS],
]);

const readOptions = (reader: MessageReader): WriteOptions => {
  let stream: Uint8Array = NOTHING;
  let expected = ANY;
  let deadline = Number.POSITIVE_INFINITY;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === IDENTIFIER) stream = reader.message().only(STREAM_NAME);
    else if (tag === POSITION) expected = reader.integer();
    else if (tag === DEADLINE_MOMENT) deadline = readMilliseconds(reader.message());
    else if (tag === DEADLINE_DURATION) deadline = Date.now() + readMilliseconds(reader.message());
    else {
      expected = EXPECTATIONS.get(tag) ?? expected;
      reader.skip(tag);
    }
  }
  return { stream, expected, deadline };
};

const SECONDS = varintTag(1);
const NANOS = varintTag(2);

const readMilliseconds = (reader: MessageReader): number => {
  let seconds = 0n;
  let nanos = 0n;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === SECONDS) seconds = BigInt.asIntN(64, reader.integer());
    else if (tag === NANOS) nanos = BigInt.asIntN(32, reader.integer());
    else reader.skip(tag);
  }
  return Math.trunc(Number(seconds) * 1_000 + Number(nanos) / 1_000_000);
};

const ID = lengthTag(1);
const METADATA = lengthTag(2);
const CUSTOM_METADATA = lengthTag(3);
const DATA = lengthTag(4);

const UUID_TEXT = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/u;
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** Decodes a proposed event. Throws {@link InvalidRequest} if it cannot be stored. */
export const decodeProposedEvent = (reader: MessageReader): ProposedEvent => {
  let id = '';
  let type: string | null | undefined;
  let contentType: string | undefined;
  let meta: Uint8Array = NOTHING;
  let data: Uint8Array = NOTHING;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === ID) id = readUuid(reader.message()).toLowerCase();
    else if (tag === METADATA) {
      const entry = readEntry(reader.message());
      if (entry.key === 'type') type = decodeUtf8(entry.value);
      else if (entry.key === 'content-type') contentType = String(entry.value);
    } else if (tag === CUSTOM_METADATA) meta = reader.bytes();
    else if (tag === DATA) data = reader.bytes();
    else reader.skip(tag);
  }
  if (type === undefined || contentType === undefined) {
    throw new InvalidRequest('Event metadata must name type and content-type');
  }
  if (type === '') throw new InvalidRequest('An event type is empty');
  if (type === null) throw new InvalidRequest('An event type is not valid UTF-8');
  if (type.includes('\0')) throw new InvalidRequest('An event type contains a NUL');
  if (!UUID_TEXT.test(id)) throw new InvalidRequest('An event id is not a UUID');
  if (id === NIL_UUID) throw new InvalidRequest('An event id is the nil UUID');
  return { id, type, isJson: contentType === 'application/json', data, meta };
};

const NO_TEXT: Buffer = Buffer.alloc(0);
const KEY = lengthTag(1);
const VALUE = lengthTag(2);

const readEntry = (reader: MessageReader): { readonly key: string; readonly value: Buffer } => {
  let key = '';
  let value: Buffer = NO_TEXT;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === KEY) key = reader.text();
    else if (tag === VALUE) value = reader.bytes();
    else reader.skip(tag);
  }
  return { key, value };
};

const writer = new MessageWriter();

type Written = Extract<Outcome, { kind: 'written' }>;

/** Encodes the `BatchAppendResp` of a success. */
export const encodeWritten = (correlation: Uint8Array | null, written: Written): Buffer => {
  if (correlation !== null) writer.bytes(1, correlation);
  writeSuccess(3, written);
  return writer.finish();
};

/** Encodes the `AppendResp` of a success. */
export const encodeAppended = (written: Written): Buffer => {
  writeSuccess(1, written);
  return writer.finish();
};

/** Encodes a `DeleteResp` or `TombstoneResp`, which have one form. */
export const encodeDeleted = ({ position }: Written): Buffer => {
  writePosition(1, position);
  return writer.finish();
};

const writeSuccess = (field: number, { revision, position }: Written): void => {
  const success = writer.open(field);
  writer.integer(1, revision);
  writePosition(3, position);
  writer.close(success);
};

const writePosition = (field: number, position: bigint): void => {
  const start = writer.open(field);
  writer.integer(1, position);
  writer.integer(2, position);
  writer.close(start);
};
