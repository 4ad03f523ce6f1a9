import { decodeText } from './parse-bundle.ts';
import { startScan } from './scan-body.ts';

/** A finding in a body: the start of an array under `entry`, or some of its elements. */
export type Found = { readonly kind: 'array' } | ({ readonly kind: 'elements' } & ElementsText);

/** Adjacent elements of an array. */
export interface ElementsText {
  /** Their text in brackets, possibly no valid JSON; `null` if it is not UTF-8. */
  readonly text: string | null;
  /** Their size in the body. */
  readonly bytes: number;
  /** True if a comma separates them from others, so there must be at least one. */
  readonly isBesideComma: boolean;
}

/** Splits a body while it arrives. */
export interface BodySplitter {
  /**
   * Adds the next bytes, and yields their findings.
   * @throws RequestProblem nested too deep, too many values
   */
  readonly take: (piece: Buffer) => Iterable<Found>;
  /**
   * Ends the body.
   * @returns its text with nothing between the brackets of `entry`; `null` if it is not UTF-8
   */
  readonly end: () => string | null;
}

/** Initial buffer size: twice as much as Node reads at once. The buffer grows if necessary. */
const FIRST_ROOM = 128 * 1024;

/**
 * Splits a body between the elements of `entry`, and keeps only the bytes since the last split.
 * Buffers of whole bodies would occupy memory until V8's next full collection.
 */
export const splitBody = (): BodySplitter => {
  const scan = startScan();
  let room = Buffer.allocUnsafeSlow(FIRST_ROOM);
  let from = 0;
  let filled = 0;
  let outer: string | null = '';
  let isBesideComma = false;

  const add = (piece: Buffer): void => {
    if (filled + piece.length > room.length) {
      const kept = filled - from;
      const needed = kept + piece.length;
      const next = needed > room.length ? Buffer.allocUnsafeSlow(2 * needed) : room;
      room.copy(next, 0, from, filled);
      scan.dropped(from);
      room = next;
      from = 0;
      filled = kept;
    }
    piece.copy(room, filled);
    filled += piece.length;
  };

  // Splits are at ASCII characters only, so the parts are valid UTF-8 exactly if the whole is.
  const textTo = (to: number): string | null => decodeText(room.subarray(from, to));
  const addOuter = (text: string | null): void => {
    outer = outer === null || text === null ? null : outer + text;
  };

  const elements = (to: number, isBeforeComma: boolean): Found => {
    const text = textTo(to);
    const found = {
      text: text === null ? null : `[${text}]`,
      bytes: to - from,
      isBesideComma: isBesideComma || isBeforeComma,
    };
    isBesideComma = isBeforeComma;
    return { kind: 'elements', ...found };
  };

  return {
    *take(piece) {
      add(piece);
      const held = room.subarray(0, filled);
      for (let place = scan.next(held); place !== null; place = scan.next(held)) {
        const { kind, at } = place;
        if (kind === 'opening') {
          addOuter(textTo(at + 1));
          yield { kind: 'array' };
        } else yield elements(at, kind === 'comma');
        from = kind === 'closing' ? at : at + 1;
      }
    },
    end: () => {
      addOuter(textTo(filled));
      return outer;
    },
  };
};
