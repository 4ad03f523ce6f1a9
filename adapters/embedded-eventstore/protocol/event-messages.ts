import { MessageWriter } from '../../protobuf/message-writer.ts';
import type { RecordedEvent } from '../store/event.ts';

const writer = new MessageWriter();

/** Handwritten because every read event passes here: the generated classes are several times slower. */
export const encodeReadEvent = (event: RecordedEvent, isStructured: boolean): Buffer => {
  const answer = writer.open(1);
  writeRecordedEvent(EVENT, event, isStructured);
  writer.integer(3, event.position);
  writer.close(answer);
  return writer.finish();
};

/** Encodes the `ReadResp` of a link and its target, or `null` if the target does not exist. */
export const encodeReadLink = (
  link: RecordedEvent,
  target: RecordedEvent | null,
  isStructured: boolean,
): Buffer => {
  const answer = writer.open(1);
  if (target !== null) writeRecordedEvent(EVENT, target, isStructured);
  writeRecordedEvent(LINK, link, isStructured);
  writer.integer(3, link.position);
  writer.close(answer);
  return writer.finish();
};

const EVENT = 1;
const LINK = 2;

const writeRecordedEvent = (field: number, event: RecordedEvent, isStructured: boolean): void => {
  const recorded = writer.open(field);
  writeUuid(1, event.id, isStructured);
  const identifier = writer.open(2);
  writer.text(3, event.stream);
  writer.close(identifier);
  if (event.revision !== 0n) writer.integer(3, event.revision);
  writer.integer(4, event.position);
  writer.integer(5, event.position);
  writer.entry(6, 'content-type', event.isJson ? 'application/json' : 'application/octet-stream');
  writer.entry(6, 'created', String(event.created));
  writer.entry(6, 'type', event.type);
  if (event.meta.length > 0) writer.bytes(7, event.meta);
  if (event.data.length > 0) writer.bytes(8, event.data);
  writer.close(recorded);
};

const writeUuid = (field: number, id: string, isStructured: boolean): void => {
  const start = writer.open(field);
  if (isStructured) {
    const hex = id.replaceAll('-', '');
    const structured = writer.open(1);
    writeHalf(1, hex.slice(0, 16));
    writeHalf(2, hex.slice(16));
    writer.close(structured);
  } else writer.text(2, id);
  writer.close(start);
};

const writeHalf = (field: number, hex: string): void => {
  const value = BigInt(`0x${hex}`);
  if (value !== 0n) writer.integer(field, value);
};
