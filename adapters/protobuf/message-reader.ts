const VARINT = 0;
const FIXED_64 = 1;
const LENGTH = 2;
const FIXED_32 = 5;
// At 7 bits per byte, this many fit into a number without loss.
const EXACT_BYTES = 7;
const MAX_VARINT_BYTES = 10;
const MAX_NUMBER_BYTES = 5;
const NO_BYTES: Buffer = Buffer.alloc(0);

/** Tag of a field with a message, text, or bytes. */
export const lengthTag = (field: number): number => (field << 3) | LENGTH;

/** Tag of a field with an integer or flag. */
export const varintTag = (field: number): number => (field << 3) | VARINT;

export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage';
}

/** Reads the fields of a protobuf message in order, without copying. */
export class MessageReader {
  readonly #bytes: Buffer;
  readonly #end: number;
  #at: number;

  private constructor(bytes: Buffer, at: number, end: number) {
    this.#bytes = bytes;
    this.#at = at;
    this.#end = end;
  }

  static of(bytes: Uint8Array): MessageReader {
    const buffer = Buffer.isBuffer(bytes)
      ? bytes
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return new MessageReader(buffer, 0, buffer.length);
  }

  /** Tag of the next field, or 0 at the end. The caller must read or skip its value. */
  tag(): number {
    return this.#at === this.#end ? 0 : this.#readNumber();
  }

  /** Reads a nested message. A new reader is cheaper than a buffer. */
  message(): MessageReader {
    const start = this.#skipValue();
    return new MessageReader(this.#bytes, start, this.#at);
  }

  /** Reads bytes, or a message or text as bytes, without copying. */
  bytes(): Buffer {
    const start = this.#skipValue();
    return this.#bytes.subarray(start, this.#at);
  }

  text(): string {
    const start = this.#skipValue();
    return this.#bytes.toString('utf8', start, this.#at);
  }

  /** Bytes of one field of the message, or empty if it is absent. Skips all other fields. */
  only(fieldTag: number): Buffer {
    let value = NO_BYTES;
    for (let tag = this.tag(); tag !== 0; tag = this.tag()) {
      if (tag === fieldTag) value = this.bytes();
      else this.skip(tag);
    }
    return value;
  }

  flag(): boolean {
    return this.integer() !== 0n;
  }

  integer(): bigint {
    let low = 0;
    let factor = 1;
    for (let place = 0; place < EXACT_BYTES; place += 1) {
      const byte = this.#readByte();
      low += (byte & 0x7f) * factor;
      if (byte < 0x80) return BigInt(low);
      factor *= 0x80;
    }
    let value = BigInt(low);
    for (let place = EXACT_BYTES; place < MAX_VARINT_BYTES; place += 1) {
      const byte = this.#readByte();
      value |= BigInt(byte & 0x7f) << BigInt(7 * place);
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new MalformedMessage('An integer does not end');
  }

  skip(tag: number): void {
    const kind = tag & 7;
    if (kind === VARINT) this.integer();
    else if (kind === LENGTH) this.#skipValue();
    else if (kind === FIXED_64) this.#advance(8);
    else if (kind === FIXED_32) this.#advance(4);
    else throw new MalformedMessage('A field is of no known kind');
  }

  /** Skips a length and its value. Returns the start of the value. */
  #skipValue(): number {
    const length = this.#readNumber();
    const start = this.#at;
    this.#advance(length);
    return start;
  }

  #advance(bytes: number): void {
    this.#at += bytes;
    if (this.#at > this.#end) throw new MalformedMessage('A field is cut off');
  }

  #readNumber(): number {
    let value = 0;
    let factor = 1;
    for (let place = 0; place < MAX_NUMBER_BYTES; place += 1) {
      const byte = this.#readByte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 0x80;
    }
    throw new MalformedMessage('A tag or a length is too large');
  }

  #readByte(): number {
    const byte = this.#at < this.#end ? this.#bytes[this.#at] : undefined;
    if (byte === undefined) throw new MalformedMessage('The message is cut off');
    this.#at += 1;
    return byte;
  }
}
