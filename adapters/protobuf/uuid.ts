import { lengthTag, type MessageReader, varintTag } from './message-reader.ts';

const STRUCTURED = lengthTag(1);
const TEXT = lengthTag(2);
const MAX_SIGNIFICANT = varintTag(1);
const MIN_SIGNIFICANT = varintTag(2);

/** Reads a UUID message as text. Either side may send either of its two forms. */
export const readUuid = (reader: MessageReader): string => {
  let uuid = '';
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === TEXT) uuid = reader.text();
    else if (tag === STRUCTURED) uuid = readStructured(reader.message());
    else reader.skip(tag);
  }
  return uuid;
};

const readStructured = (reader: MessageReader): string => {
  let most = 0n;
  let least = 0n;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === MAX_SIGNIFICANT) most = reader.integer();
    else if (tag === MIN_SIGNIFICANT) least = reader.integer();
    else reader.skip(tag);
  }
  return encodeStructuredUuid(most, least);
};

/** UUID in lower case with hyphens, from its two halves. */
const encodeStructuredUuid = (most: bigint, least: bigint): string => {
  const hex = hex64(most) + hex64(least);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

const hex64 = (bits: bigint): string => BigInt.asUintN(64, bits).toString(16).padStart(16, '0');
