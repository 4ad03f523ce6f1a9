import { lengthTag, type MessageReader, varintTag } from '../protobuf/message-reader.ts';

const STRUCTURED = lengthTag(1);
const TEXT = lengthTag(2);
const MOST_SIGNIFICANT = varintTag(1);
const LEAST_SIGNIFICANT = varintTag(2);

/** A UUID message as text: servers answer in either of its two forms. */
export const uuidIn = (reader: MessageReader): string => {
  let uuid = '';
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === TEXT) uuid = reader.text();
    else if (tag === STRUCTURED) uuid = structuredIn(reader.message());
    else reader.skip(tag);
  }
  return uuid;
};

const hex64 = (bits: bigint): string => bits.toString(16).padStart(16, '0');

const structuredIn = (reader: MessageReader): string => {
  let most = 0n;
  let least = 0n;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === MOST_SIGNIFICANT) most = reader.integer();
    else if (tag === LEAST_SIGNIFICANT) least = reader.integer();
    else reader.skip(tag);
  }
  return (hex64(most) + hex64(least)).replace(
    /^(.{8})(.{4})(.{4})(.{4})(.{12})$/u,
    '$1-$2-$3-$4-$5',
  );
};
