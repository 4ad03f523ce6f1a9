import type { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import statusPb from '@eventstore/db-client/generated/status_pb.js';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { status } from '@grpc/grpc-js';
import type { Message } from 'google-protobuf';
import anyPb from 'google-protobuf/google/protobuf/any_pb.js';
import emptyPb from 'google-protobuf/google/protobuf/empty_pb.js';
import { ANY, NO_STREAM, STREAM_EXISTS } from '../store/decide.ts';
import {
  buildRefusalFailure,
  InvalidRequest,
  MAX_APPEND_BYTES,
  type Refusal,
} from '../store/errors.ts';

// The name must fit in an index row, which is limited to a third of a database page.
const MAX_NAME_BYTES = 2_000;
const REPLACEMENT = '\ufffd';

/** Decodes UTF-8, or returns `null` if the bytes are invalid. */
export const decodeUtf8 = (bytes: Uint8Array): string | null => {
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = raw.toString('utf8');
  // Invalid UTF-8 decodes to replacement characters, but the client may also have sent those.
  return text.includes(REPLACEMENT) && !Buffer.from(text, 'utf8').equals(raw) ? null : text;
};

/** Decodes a stream name. Throws {@link InvalidRequest} if it is invalid. */
export const decodeStreamName = (raw: Uint8Array): string => {
  if (raw.length === 0) throw new InvalidRequest('A stream name is required');
  if (raw.length > MAX_NAME_BYTES) throw new InvalidRequest('The stream name is too long');
  if (raw.includes(0)) throw new InvalidRequest('The stream name contains a NUL');
  const name = decodeUtf8(raw);
  if (name === null) throw new InvalidRequest('The stream name is not valid UTF-8');
  if (name === '$$') throw new InvalidRequest('The stream name is reserved');
  return name;
};

export const getStreamName = (identifier: StreamIdentifier | undefined): string =>
  decodeStreamName(identifier?.getStreamName_asU8() ?? new Uint8Array());

export const buildStreamIdentifier = (name: string): StreamIdentifier =>
  new shared.StreamIdentifier().setStreamName(Buffer.from(name, 'utf8'));

/** UUID message in either form: text or two signed 64-bit integers. */
export const encodeUuid = (id: string, isStructured: boolean): UUID => {
  const message = new shared.UUID();
  if (!isStructured) return message.setString(id);
  const hex = id.replaceAll('-', '');
  const toSigned = (part: string): string => String(BigInt.asIntN(64, BigInt(`0x${part}`)));
  return message.setStructured(
    new shared.UUID.Structured()
      .setMostSignificantBits(toSigned(hex.slice(0, 16)))
      .setLeastSignificantBits(toSigned(hex.slice(16))),
  );
};

export const buildCheckpointMessage = (position: bigint): ReadResp =>
  new streams.ReadResp().setCheckpoint(
    new streams.ReadResp.Checkpoint()
      .setCommitPosition(String(position))
      .setPreparePosition(String(position)),
  );

export const buildConfirmationMessage = (id: string): ReadResp =>
  new streams.ReadResp().setConfirmation(
    new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(id),
  );

export const buildCaughtUpMessage = (): ReadResp =>
  new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp());

/** Response to reading a missing or soft-deleted stream. */
export const buildStreamNotFoundMessage = (stream: string): ReadResp =>
  new streams.ReadResp().setStreamNotFound(
    new streams.ReadResp.StreamNotFound().setStreamIdentifier(buildStreamIdentifier(stream)),
  );

const buildWrongVersionDetails = (current: bigint, expected: bigint): Message => {
  const details = new shared.WrongExpectedVersion();
  if (current < 0n) details.setCurrentNoStream(new emptyPb.Empty());
  else details.setCurrentStreamRevision(String(current));
  if (expected === NO_STREAM) details.setExpectedNoStream(new emptyPb.Empty());
  else if (expected === ANY) details.setExpectedAny(new emptyPb.Empty());
  else if (expected === STREAM_EXISTS) details.setExpectedStreamExists(new emptyPb.Empty());
  else details.setExpectedStreamPosition(String(expected));
  return details;
};

/** Type and message that the client builds its error from. */
const buildRefusalDetails = (
  refusal: Refusal,
  stream: string,
  expected: bigint,
): readonly [string, Message] => {
  switch (refusal.kind) {
    case 'wrong-version':
      return ['WrongExpectedVersion', buildWrongVersionDetails(refusal.current, expected)];
    case 'deleted': {
      const deleted = new shared.StreamDeleted().setStreamIdentifier(buildStreamIdentifier(stream));
      return ['StreamDeleted', deleted];
    }
    case 'too-large': {
      const tooLarge = new shared.MaximumAppendSizeExceeded().setMaxappendsize(MAX_APPEND_BYTES);
      return ['MaximumAppendSizeExceeded', tooLarge];
    }
    case 'timeout':
      return ['Timeout', new shared.Timeout()];
    case 'invalid':
      return ['BadRequest', new shared.BadRequest().setMessage(refusal.message)];
    case 'unavailable':
    case 'failed':
      return ['Unknown', new shared.Unknown()];
  }
};

/** Status of a refused batch append: the failure of a single append, with details. */
export const buildRefusalStatus = (refusal: Refusal, stream: string, expected: bigint): Status => {
  const failure = buildRefusalFailure(refusal, stream, expected);
  const code = refusal.kind === 'timeout' ? status.DEADLINE_EXCEEDED : failure.code;
  const [type, details] = buildRefusalDetails(refusal, stream, expected);
  const packed = new anyPb.Any();
  packed.pack(details.serializeBinary(), `event_store.client.${type}`);
  return new statusPb.Status().setCode(Number(code)).setMessage(failure.details).setDetails(packed);
};
