import { isAscii, isUtf8 } from 'node:buffer';
import type { NameCounts } from '../../adapters/json/scan-json.ts';
import { createBodyScanner } from './scan-body.ts';

export interface ElementsText {
  /** In brackets, possibly no valid JSON; `null` if it is not UTF-8. */
  readonly text: string | null;
  readonly bytes: number;
  /** True if there must be at least one element, because a comma separates it from others. */
  readonly isBesideComma: boolean;
}

export interface BodySplitter {
  /**
   * Yields the parts that the bytes complete.
   * @throws RequestProblem nested too deep, too many values
   */
  readonly push: (piece: Uint8Array) => Iterable<ElementsText>;
  readonly names: NameCounts;
  /** @returns text without the elements of `entry`; `null` if it is not UTF-8 */
  readonly end: () => string | null;
}

/** Twice as much as Node reads at once. */
const MIN_BUFFER_BYTES = 128 * 1024;

/**
 * Keeps only the bytes since the last split: buffers of whole bodies would occupy memory until V8's
 * next full collection.
 */
export const createBodySplitter = (): BodySplitter => {
  const scanner = createBodyScanner();
  let buffer: Buffer = Buffer.alloc(0);
  /** True if the buffer is the first piece, which must not change. */
  let isBorrowed = true;
  let from = 0;
  let filled = 0;
  let outer: string | null = '';
  let isAfterComma = false;

  const add = (piece: Uint8Array): void => {
    // A short body is one piece: no copy is needed.
    if (filled === 0) {
      buffer = Buffer.from(piece.buffer, piece.byteOffset, piece.length);
      filled = piece.length;
      return;
    }
    if (filled + piece.length > buffer.length) {
      const tailLength = filled - from;
      const needed = tailLength + piece.length;
      const next =
        isBorrowed || needed > buffer.length
          ? Buffer.allocUnsafeSlow(Math.max(2 * needed, MIN_BUFFER_BYTES))
          : buffer;
      isBorrowed = false;
      buffer.copy(next, 0, from, filled);
      scanner.shift(from);
      buffer = next;
      from = 0;
      filled = tailLength;
    }
    buffer.set(piece, filled);
    filled += piece.length;
  };

  // Splits are at ASCII characters only, so the parts are valid UTF-8 exactly if the whole is.
  const decodeTo = (to: number): string | null => decodeText(buffer.subarray(from, to));
  const addOuter = (text: string | null): void => {
    outer = outer === null || text === null ? null : outer + text;
  };

  const buildElements = (to: number, isBeforeComma: boolean): ElementsText => {
    const text = decodeTo(to);
    const isBesideComma = isAfterComma || isBeforeComma;
    isAfterComma = isBeforeComma;
    return {
      text: text === null ? null : `[${text}]`,
      bytes: to - from,
      isBesideComma,
    };
  };

  return {
    names: scanner.names,
    *push(piece) {
      add(piece);
      const bytes = buffer.subarray(0, filled);
      for (let point = scanner.next(bytes); point !== null; point = scanner.next(bytes)) {
        const { kind, at } = point;
        if (kind === 'opening') addOuter(decodeTo(at + 1));
        else yield buildElements(at, kind === 'comma');
        from = kind === 'closing' ? at : at + 1;
      }
    },
    end: () => {
      addOuter(decodeTo(filled));
      return outer;
    },
  };
};

/**
 * `null` if the bytes are not UTF-8. Replacement characters would be dangerous: two chart numbers
 * in ISO 8859-1 could become the same one.
 */
const decodeText = (bytes: Buffer): string | null => {
  // Fast path: copying ASCII takes a fraction of the time of decoding UTF-8.
  if (isAscii(bytes)) return bytes.toString('latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : null;
};
