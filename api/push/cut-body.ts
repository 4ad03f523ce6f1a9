import { decodeText } from './parse-bundle.ts';
import { startScan } from './scan-body.ts';

/** What comes to light of a body: an array under `entry` begins, or elements of it are there. */
export type Found = { readonly kind: 'array' } | ({ readonly kind: 'elements' } & ElementsText);

/** Elements of an array that stand side by side. */
export interface ElementsText {
  /** Their JSON with brackets around it, if it is JSON; null when it is no UTF-8. */
  readonly text: string | null;
  /** How many bytes of the body they were. */
  readonly bytes: number;
  /** Whether a comma parts them from others, so that there has to be one at least. */
  readonly isBesideComma: boolean;
}

/** A body that is cut while it comes. */
export interface BodySplitter {
  /**
   * Takes the next bytes, and tells what they bring to light.
   * @throws RequestProblem nested too deep, too many values
   */
  readonly take: (piece: Buffer) => Iterable<Found>;
  /**
   * Ends the body.
   * @returns its text with nothing between the brackets of `entry`; null when it is no UTF-8
   */
  readonly end: () => string | null;
}

/** Room for what came since the last cut: twice a piece as Node reads them. It grows if need be. */
const FIRST_ROOM = 128 * 1024;

/**
 * Cuts a body between the elements of `entry`, and keeps only the bytes since the last cut: of 20
 * MiB that were kept until all had come, V8 let go at its next full collection only, and the
 * batches before counted for 40 of 60 MiB above idle.
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

  // Cut at ASCII characters only: a part is UTF-8 exactly if it is in the whole.
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
