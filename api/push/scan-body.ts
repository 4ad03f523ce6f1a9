import { bodyNestedTooDeep, bodyTooManyValues, DEEPEST_NESTING, MAX_VALUES } from './problems.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACKET = 0x5d;
const CLOSING_BRACE = 0x7d;

/**
 * Where the array under the key `entry` of the outer object may be cut: at its opening bracket, at
 * commas between elements so far apart that a part is worth parsing by itself, and at its closing
 * bracket.
 */
export interface EntryPlace {
  readonly kind: 'opening' | 'comma' | 'closing';
  readonly at: number;
}

/** A walk over the bytes of a body, which may come one after the other. */
export interface BodyScan {
  /**
   * Goes on to the next place. JSON allows a key to stand there twice: every array counts.
   * @param bytes the same as before, or with more behind them
   * @returns null when there is none in these bytes
   * @throws RequestProblem nested too deep, too many values
   */
  readonly next: (bytes: Buffer) => EntryPlace | null;
  /** So many bytes were dropped before those that come with the next call; no place was. */
  readonly dropped: (count: number) => void;
}

// Shorter parts cost more calls, longer ones more memory: 64 KiB parse in 0.1 ms.
const MIN_PART_BYTES = 64 * 1024;

/**
 * Looks at the bytes alone, so that what is hostile is refused before anything is built of it, and
 * notes on the way where `entry` may be cut. Whether a body is JSON is not its question: it is
 * exactly if the parts between the places are, and what is left of it around them.
 */
export const startScan = (): BodyScan => {
  let position = 0;
  /** The string that is open where the bytes ended goes on at `position`. */
  let isInString = false;
  let depth = 0;
  let values = 0;
  // The last string of the outer object: at an opening bracket it is the key.
  let keyFrom = 0;
  let keyTo = 0;
  let isInEntry = false;
  let nextCut = 0;
  const pause = (at: number): null => {
    position = at;
    return null;
  };
  return {
    next: (bytes) => {
      const end = bytes.length;
      let at = position;
      if (isInString) {
        at = endOfString(bytes, at);
        if (at === end || bytes[at] !== QUOTE) return pause(at);
        isInString = false;
        at += 1;
        if (depth === 1) keyTo = at;
      }
      for (; at < end; at += 1) {
        switch (bytes[at]) {
          case QUOTE:
            if (depth === 1) keyFrom = at;
            at = endOfString(bytes, at + 1);
            if (at === end || bytes[at] !== QUOTE) {
              isInString = true;
              return pause(at);
            }
            if (depth === 1) keyTo = at + 1;
            break;
          case OPENING_BRACKET:
          case OPENING_BRACE:
            depth += 1;
            values += 1;
            if (depth > DEEPEST_NESTING) throw bodyNestedTooDeep();
            if (depth === 2 && bytes[at] === OPENING_BRACKET && isEntry(bytes, keyFrom, keyTo)) {
              isInEntry = true;
              keyTo = keyFrom;
              nextCut = at + MIN_PART_BYTES;
              position = at + 1;
              return { kind: 'opening', at };
            }
            break;
          case CLOSING_BRACKET:
          case CLOSING_BRACE:
            depth -= 1;
            if (depth === 1 && isInEntry) {
              isInEntry = false;
              position = at + 1;
              return { kind: 'closing', at };
            }
            break;
          case COMMA:
            values += 1;
            if (depth === 2 && at >= nextCut && isInEntry) {
              nextCut = at + MIN_PART_BYTES;
              position = at + 1;
              return { kind: 'comma', at };
            }
            break;
        }
        if (values > MAX_VALUES) throw bodyTooManyValues();
      }
      return pause(at);
    },
    dropped: (count) => {
      position -= count;
      keyFrom -= count;
      keyTo -= count;
      nextCut -= count;
    },
  };
};

const ENTRY = 'entry';
// Each letter may be written like \u0065.
const MAX_ENTRY_KEY_LENGTH = 2 + 6 * ENTRY.length;

const isEntry = (bytes: Buffer, from: number, to: number): boolean => {
  if (to - from > MAX_ENTRY_KEY_LENGTH) return false;
  const key = bytes.toString('latin1', from, to);
  if (!key.includes('\\')) return key === `"${ENTRY}"`;
  try {
    return JSON.parse(key) === ENTRY;
  } catch {
    return false;
  }
};

// Most strings end within so few bytes that looking at each is cheaper than a call that searches.
const NEAR = 24;

/**
 * Index of the quote that closes the string in which `from` stands. If it is not there yet, the index to
 * go on from when there are more bytes: their end, or a backslash right before it.
 */
const endOfString = (bytes: Buffer, from: number): number => {
  const end = bytes.length;
  let at = from;
  while (at < end) {
    const near = Math.min(at + NEAR, end);
    while (at < near) {
      const byte = bytes[at];
      if (byte === QUOTE) return at;
      if (byte !== BACKSLASH) at += 1;
      else if (at + 1 < end) at += 2;
      else return at;
    }
    const found = bytes.indexOf(QUOTE, at);
    const quote = found === -1 ? end : found;
    let backslashes = 0;
    while (quote - backslashes > at && bytes[quote - 1 - backslashes] === BACKSLASH)
      backslashes += 1;
    const isEscaped = backslashes % 2 === 1;
    if (quote === end) return isEscaped ? end - 1 : end;
    if (!isEscaped) return quote;
    at = quote + 1;
  }
  return end;
};
