import { convertGrpcEvent } from '@eventstore/db-client/dist/utils/convertGrpcEvent.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import {
  lengthTag,
  MalformedMessage,
  MessageReader,
  varintTag,
} from '../../protobuf/message-reader.ts';
import { readUuid } from '../../protobuf/uuid.ts';

const EVENT = lengthTag(1);
const RECORDED = lengthTag(1);
const LINK = lengthTag(2);
const COMMIT_POSITION = varintTag(3);

/**
 * Decodes a `ReadResp` for the client. An event without a link, the usual case, becomes an object
 * with only the methods of the generated class that the client calls, which is faster. The
 * generated class decodes everything else. Skips unknown fields of later servers.
 * @throws an error that ends the call; if the client threw it in a listener, the process would end
 */
export const decodeReadResponse = (message: Buffer): unknown => {
  const reader = MessageReader.of(message);
  let event: ReadEvent | null = null;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag())
    if (tag === EVENT) event = readEventIn(reader.message());
    else reader.skip(tag);
  return event === null ? generatedAnswer(message) : new EventAnswer(event);
};

const generatedAnswer = (message: Buffer): unknown => {
  const answer = streams.ReadResp.deserializeBinary(message);
  const event = answer.getEvent();
  if (event !== undefined) convertGrpcEvent(event);
  return answer;
};

class EventAnswer {
  readonly #event: ReadEvent;

  constructor(event: ReadEvent) {
    this.#event = event;
  }

  hasEvent(): boolean {
    return true;
  }

  getEvent(): ReadEvent {
    return this.#event;
  }
}

class ReadEvent {
  readonly #recorded: RecordedMessage;
  readonly #position: bigint | null;

  constructor(recorded: RecordedMessage, position: bigint | null) {
    this.#recorded = recorded;
    this.#position = position;
  }

  hasEvent(): boolean {
    return true;
  }

  getEvent(): RecordedMessage {
    return this.#recorded;
  }

  hasLink(): boolean {
    return false;
  }

  hasCommitPosition(): boolean {
    return this.#position !== null;
  }

  getCommitPosition(): bigint {
    return this.#position ?? 0n;
  }
}

const readEventIn = (reader: MessageReader): ReadEvent | null => {
  let recorded: RecordedMessage | null = null;
  let position: bigint | null = null;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === RECORDED) recorded = new RecordedMessage(reader.message());
    else if (tag === COMMIT_POSITION) position = reader.integer();
    else if (tag === LINK) return null;
    else reader.skip(tag);
  }
  if (recorded === null) return null;
  if (!recorded.hasId() || !recorded.hasStreamIdentifier())
    throw new MalformedMessage('An event lacks its id or its stream');
  return new ReadEvent(recorded, position);
};

const ID = lengthTag(1);
const IDENTIFIER = lengthTag(2);
const REVISION = varintTag(3);
const PREPARE = varintTag(4);
const COMMIT = varintTag(5);
const METADATA = lengthTag(6);
const CUSTOM_METADATA = lengthTag(7);
const DATA = lengthTag(8);
const STREAM_NAME = lengthTag(3);
const KEY = lengthTag(1);
const VALUE = lengthTag(2);
const NOTHING: Buffer = Buffer.alloc(0);
const CONTENT_TYPE = 'content-type';

/** Passed on byte for byte without parsing, because the log's tree commits to these bytes. */
export class StoredContent {
  readonly data: Buffer;
  readonly metadata: Buffer;
  readonly isJson: boolean;

  constructor(data: Buffer, metadata: Buffer, isJson: boolean) {
    this.data = data;
    this.metadata = metadata;
    this.isJson = isJson;
  }
}

/** Part of the generated `RecordedEvent` that the client uses. */
class RecordedMessage {
  readonly #metadata = new Map<string, string>();
  #id: string | null = null;
  #stream: Buffer | null = null;
  #revision = 0n;
  #prepare = 0n;
  #commit = 0n;
  #isJson = false;
  #customMetadata: Buffer = NOTHING;
  #data: Buffer = NOTHING;

  constructor(reader: MessageReader) {
    for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
      if (tag === ID) this.#id = readUuid(reader.message());
      else if (tag === IDENTIFIER) this.#stream = reader.message().only(STREAM_NAME);
      else if (tag === REVISION) this.#revision = reader.integer();
      else if (tag === PREPARE) this.#prepare = reader.integer();
      else if (tag === COMMIT) this.#commit = reader.integer();
      else if (tag === METADATA) this.#addEntry(reader.message());
      else if (tag === CUSTOM_METADATA) this.#customMetadata = reader.bytes();
      else if (tag === DATA) this.#data = reader.bytes();
      else reader.skip(tag);
    }
  }

  hasId(): boolean {
    return this.#id !== null;
  }

  getId() {
    const id = this.#id ?? '';
    return { hasStructured: () => false, getString: () => id };
  }

  hasStreamIdentifier(): boolean {
    return this.#stream !== null;
  }

  getStreamIdentifier() {
    const name = this.#stream ?? NOTHING;
    return { getStreamName: () => name };
  }

  getStreamRevision(): bigint {
    return this.#revision;
  }

  getPreparePosition(): bigint {
    return this.#prepare;
  }

  getCommitPosition(): bigint {
    return this.#commit;
  }

  getMetadataMap(): ReadonlyMap<string, string> {
    return this.#metadata;
  }

  getCustomMetadata_asU8(): Buffer {
    return this.#customMetadata;
  }

  /** The client calls this only for non-JSON events, so we present every event as non-JSON. */
  getData_asU8(): StoredContent {
    return new StoredContent(this.#data, this.#customMetadata, this.#isJson);
  }

  #addEntry(reader: MessageReader): void {
    let key = '';
    let value = '';
    for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
      if (tag === KEY) key = reader.text();
      else if (tag === VALUE) value = reader.text();
      else reader.skip(tag);
    }
    if (key === CONTENT_TYPE) this.#isJson = value === 'application/json';
    else this.#metadata.set(key, value);
  }
}
