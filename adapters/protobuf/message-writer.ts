const FIRST_BYTES = 16 * 1024;
/** Limit for keeping a buffer that grew for a large message. */
const MAX_BUFFER_BYTES = 256 * 1024;
const MAX_VARINT_BYTES = 10;

/** Fields in order of number, and map entries in order of key, give the bytes of the generated classes. */
export class MessageWriter {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #end = 0;

  /** Starts a nested message. Pass the result to {@link close}. */
  open(field: number): number {
    this.#ensureRoom(MAX_VARINT_BYTES + 1);
    this.#writeVarint((field << 3) | 2);
    this.#end += 1;
    return this.#end;
  }

  /** Ends a nested message and sets its length, for which {@link open} reserved one byte. */
  close(start: number): void {
    const length = this.#end - start;
    if (length < 0x80) {
      this.#bytes[start - 1] = length;
      return;
    }
    this.#ensureRoom(MAX_VARINT_BYTES);
    const bytes = countVarintBytes(length);
    this.#bytes.copyWithin(start - 1 + bytes, start, this.#end);
    this.#end = start - 1;
    this.#writeVarint(length);
    this.#end += length;
  }

  empty(field: number): void {
    this.close(this.open(field));
  }

  entry(field: number, key: string, value: string): void {
    const start = this.open(field);
    this.text(1, key);
    this.text(2, value);
    this.close(start);
  }

  text(field: number, value: string): void {
    const longest = value.length * 3;
    this.#ensureRoom(2 * MAX_VARINT_BYTES + longest);
    this.#writeVarint((field << 3) | 2);
    const before = this.#end;
    const bytes = countVarintBytes(longest);
    const length = this.#bytes.write(value, before + bytes, longest, 'utf8');
    if (countVarintBytes(length) < bytes) {
      this.#bytes.copyWithin(
        before + countVarintBytes(length),
        before + bytes,
        before + bytes + length,
      );
    }
    this.#writeVarint(length);
    this.#end += length;
  }

  bytes(field: number, value: Uint8Array): void {
    this.#ensureRoom(2 * MAX_VARINT_BYTES + value.length);
    this.#writeVarint((field << 3) | 2);
    this.#writeVarint(value.length);
    this.#bytes.set(value, this.#end);
    this.#end += value.length;
  }

  flag(field: number, value: boolean): void {
    this.#ensureRoom(MAX_VARINT_BYTES + 1);
    this.#writeVarint(field << 3);
    this.#writeVarint(value ? 1 : 0);
  }

  /** Writes an integer of up to 64 bits. A negative one is encoded as two's complement. */
  integer(field: number, value: bigint | number): void {
    this.#ensureRoom(2 * MAX_VARINT_BYTES);
    this.#writeVarint(field << 3);
    if (value >= 0 && value <= Number.MAX_SAFE_INTEGER) this.#writeVarint(Number(value));
    else this.#writeBigVarint(BigInt.asUintN(64, BigInt(value)));
  }

  /** Returns the message and resets the writer for the next one. */
  finish(): Buffer {
    const message = Buffer.allocUnsafe(this.#end);
    this.#bytes.copy(message, 0, 0, this.#end);
    this.#end = 0;
    if (this.#bytes.length > MAX_BUFFER_BYTES) this.#bytes = Buffer.allocUnsafe(FIRST_BYTES);
    return message;
  }

  #ensureRoom(bytes: number): void {
    const needed = this.#end + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }

  #writeVarint(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#end] = (rest % 0x80) | 0x80;
      this.#end += 1;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#end] = rest;
    this.#end += 1;
  }

  #writeBigVarint(value: bigint): void {
    let rest = value;
    while (rest >= 0x80n) {
      this.#bytes[this.#end] = Number(rest & 0x7fn) | 0x80;
      this.#end += 1;
      rest >>= 7n;
    }
    this.#bytes[this.#end] = Number(rest);
    this.#end += 1;
  }
}

const countVarintBytes = (value: number): number => {
  let bytes = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes += 1;
  return bytes;
};
