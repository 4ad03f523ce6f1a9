/** Finds names that one JSON object has twice. FHIR forbids them, and of two values a parser keeps the last. */
export interface NameTracker {
  /** Call at an opening brace. */
  readonly open: () => void;
  readonly close: () => void;
  /** @param from first byte after the opening quote @param to closing quote */
  readonly isRepeated: (bytes: Buffer, from: number, to: number) => boolean;
}

/** Objects of FHIR have fewer names; a set pays off above. */
const FEW = 16;

export const createNameTracker = (): NameTracker => {
  /** Hashes of the names of all open objects, the outer ones first. */
  const hashes: number[] = [];
  const starts: number[] = [];
  /** Hashes of an open object with many names. */
  const sets: (Set<number> | undefined)[] = [];

  return {
    open() {
      starts.push(hashes.length);
      sets.push(undefined);
    },
    close() {
      hashes.length = starts.pop() ?? 0;
      sets.pop();
    },
    isRepeated(bytes, from, to) {
      const hash = hashName(bytes, from, to);
      const start = starts.at(-1) ?? 0;
      if (hashes.length - start < FEW) {
        const isKnown = hashes.indexOf(hash, start) !== -1;
        hashes.push(hash);
        return isKnown;
      }
      const last = sets.length - 1;
      const names = sets[last] ?? new Set(hashes.slice(start));
      sets[last] = names;
      const isKnown = names.has(hash);
      names.add(hash);
      return isKnown;
    },
  };
};

const BACKSLASH = 0x5c;
const LOW_BITS = 20;

/** 52 bits, so that no two names of a body collide by chance. Made to collide, they harm only their sender. */
const hashName = (bytes: Buffer, from: number, to: number, mayEscape = true): number => {
  let high = 0x811c9dc5;
  let low = 5381;
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === BACKSLASH && mayEscape) return hashEscaped(bytes, from, to);
    high = Math.imul(high ^ byte, 0x01000193);
    low = Math.imul(low, 33) + byte;
  }
  return (high >>> 0) * 2 ** LOW_BITS + (low & (2 ** LOW_BITS - 1));
};

/** A name may be written with and without escapes. */
const hashEscaped = (bytes: Buffer, from: number, to: number): number => {
  const name = Buffer.from(unescapeName(bytes.toString('utf8', from - 1, to + 1)));
  return hashName(name, 0, name.length, false);
};

const unescapeName = (quoted: string): string => {
  try {
    return JSON.parse(quoted);
  } catch {
    // The text is no JSON, which its parser will say.
    return quoted;
  }
};
