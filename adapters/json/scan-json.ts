import { measure } from '../../domain/fhir/json-size.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACKET = 0x5d;
const CLOSING_BRACE = 0x7d;

/**
 * Position where the array under the key `entry` of the outer object can be split: its opening
 * bracket, its closing bracket, or a comma after enough elements to make parsing a part worthwhile.
 */
export interface SplitPoint {
  readonly kind: 'opening' | 'comma' | 'closing';
  readonly at: number;
}

/** Limits of a JSON text, and the errors of a longer one. */
export interface JsonLimits {
  /** Maximum nesting, with the outer value as 1. */
  readonly nesting: number;
  /** Maximum number of opening brackets and commas. */
  readonly values: number;
  readonly tooDeep: () => Error;
  readonly tooMany: () => Error;
}

/**
 * Names in the objects of a text. A parser keeps one of two that are the same in one object, so there are fewer
 * in what it returns.
 */
export interface NameCounts {
  /** Outside of the elements of `entry`. */
  readonly outer: number;
  /** In each element of `entry` that has ended. */
  readonly elements: readonly number[];
}

export interface JsonScanner {
  /** `null` if there is none in these bytes. @param bytes those of the last call, with more appended */
  readonly next: (bytes: Buffer) => SplitPoint | null;
  readonly names: NameCounts;
  /** Call after removing this many bytes from the start of the buffer. */
  readonly shift: (count: number) => void;
}

// Smaller parts cost more calls, larger ones more memory.
const MIN_PART_BYTES = 16 * 1024;

/** Refuses a hostile text before anything is built from it. Does not check for valid JSON. */
export const createJsonScanner = ({
  nesting: maxNesting,
  values: maxValues,
  tooDeep,
  tooMany,
}: JsonLimits): JsonScanner => {
  let position = 0;
  /** True if the bytes ended within a string that continues at `position`. */
  let isInString = false;
  let depth = 0;
  let values = 0;
  // The latest string of the outer object; before an opening bracket it is the key.
  let keyFrom = 0;
  let keyTo = 0;
  let isInEntry = false;
  let nextSplit = 0;
  let stringFrom = 0;
  let namesInElement = 0;
  const elements: number[] = [];
  const names = { outer: 0, elements };
  const endElement = (): void => {
    elements.push(namesInElement);
    namesInElement = 0;
  };
  const endString = (quote: number): void => {
    if (depth !== 1) return;
    keyFrom = stringFrom;
    keyTo = quote + 1;
  };
  const pause = (at: number): null => {
    position = at;
    return null;
  };
  return {
    next: (bytes) => {
      const end = bytes.length;
      let at = position;
      if (isInString) {
        at = findStringEnd(bytes, at);
        if (at === end || bytes[at] !== QUOTE) return pause(at);
        isInString = false;
        endString(at);
        at += 1;
      }
      for (; at < end; at += 1) {
        switch (bytes[at]) {
          case QUOTE:
            stringFrom = at;
            at = findStringEnd(bytes, at + 1);
            if (at === end || bytes[at] !== QUOTE) {
              isInString = true;
              return pause(at);
            }
            endString(at);
            break;
          case COLON:
            if (isInEntry) namesInElement += 1;
            else names.outer += 1;
            break;
          case OPENING_BRACKET:
          case OPENING_BRACE:
            depth += 1;
            values += 1;
            if (depth > maxNesting) throw tooDeep();
            if (depth === 2 && bytes[at] === OPENING_BRACKET && isEntry(bytes, keyFrom, keyTo)) {
              isInEntry = true;
              keyTo = keyFrom;
              nextSplit = at + MIN_PART_BYTES;
              position = at + 1;
              return { kind: 'opening', at };
            }
            break;
          case CLOSING_BRACKET:
          case CLOSING_BRACE:
            depth -= 1;
            if (depth === 1 && isInEntry) {
              isInEntry = false;
              endElement();
              position = at + 1;
              return { kind: 'closing', at };
            }
            break;
          case COMMA:
            values += 1;
            if (depth !== 2 || !isInEntry) break;
            endElement();
            if (at >= nextSplit) {
              nextSplit = at + MIN_PART_BYTES;
              position = at + 1;
              return { kind: 'comma', at };
            }
            break;
        }
        if (values > maxValues) throw tooMany();
      }
      return pause(at);
    },
    names,
    shift: (count) => {
      position -= count;
      stringFrom -= count;
      keyFrom -= count;
      keyTo -= count;
      nextSplit -= count;
    },
  };
};

/** True if an object has the same name twice, which FHIR forbids. */
export const hasLostNames = (parsed: unknown, { outer, elements }: NameCounts): boolean =>
  measure(parsed).names < elements.reduce((sum, names) => sum + names, outer);

const ENTRY = 'entry';
// Each letter may be escaped, such as \u0065.
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

// Most strings are so short that checking each byte is cheaper than calling a search.
const NEAR = 24;

/** If it has not arrived, the index to continue from: the end, or a backslash right before it. */
const findStringEnd = (bytes: Buffer, from: number): number => {
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
