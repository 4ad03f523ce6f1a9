import type { JsonObject } from './json.ts';

// A UTF-16 unit needs at most six bytes in JSON text: \u0000.
const MAX_BYTES_PER_UNIT = 6;
// A number, a literal, a comma, a colon, and a pair of quotes or brackets together need less.
const MAX_BYTES_PER_NODE = 32;

type Totals = { nodes: number; units: number; names: number };

/**
 * Only large values are counted exactly. Uses its own stack, so that deep values cannot overflow the
 * call stack.
 */
export const isLongerThan = (value: JsonObject, limit: number): boolean => {
  return isPossiblyLongerThan(value, limit) && exceeds(value, limit);
};

/** An upper bound: only false is certain. */
export const isPossiblyLongerThan = (value: object, limit: number): boolean => {
  const { units, nodes } = countTotals(value);
  return units * MAX_BYTES_PER_UNIT + nodes * MAX_BYTES_PER_NODE > limit;
};

// An invalid UTF-8 byte becomes U+FFFD, which has three bytes, and 1e20 becomes a number with 21
// digits.
const MAX_GROWTH = 6;

export const isTextPossiblyLongerThan = (textBytes: number, limit: number): boolean =>
  textBytes * MAX_GROWTH > limit;

export const estimateSize = (value: object): number => measure(value).size;

/** @returns an estimate of the size, and the number of names in all objects */
export const measure = (value: unknown): { readonly size: number; readonly names: number } => {
  const { nodes, units, names } = countTotals(value);
  return { size: units + 2 * nodes, names };
};

const countTotals = (value: unknown): Totals => {
  const totals: Totals = { nodes: 0, units: 0, names: 0 };
  const open: unknown[] = [value];
  while (open.length > 0) {
    const node = open.pop();
    totals.nodes += 1;
    if (typeof node === 'string') totals.units += node.length;
    else if (Array.isArray(node)) for (const element of node) open.push(element);
    else if (typeof node === 'object' && node !== null) {
      for (const key in node) {
        totals.names += 1;
        totals.units += key.length;
        open.push((node as JsonObject)[key]);
      }
    }
  }
  return totals;
};

const exceeds = (value: unknown, limit: number): boolean => {
  const open: unknown[] = [value];
  let bytes = 0;
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node === 'string') bytes += stringBytes(node);
    else if (Array.isArray(node)) {
      bytes += 2 + Math.max(0, node.length - 1);
      for (const element of node) open.push(element);
    } else if (typeof node === 'object' && node !== null) {
      let keys = 0;
      for (const key in node) {
        keys += 1;
        bytes += stringBytes(key) + 1;
        open.push((node as JsonObject)[key]);
      }
      bytes += 2 + Math.max(0, keys - 1);
    } else bytes += String(node).length;
    if (bytes > limit) return true;
  }
  return false;
};

const stringBytes = (text: string): number => {
  let bytes = 2;
  for (let index = 0; index < text.length; index += 1) bytes += unitBytes(text.charCodeAt(index));
  return bytes;
};

// Half of a surrogate pair counts as two of its four bytes.
const unitBytes = (unit: number): number => {
  if (unit < 0x20) return SHORT_ESCAPES.has(unit) ? 2 : 6;
  if (unit < 0x80) return unit === 0x22 || unit === 0x5c ? 2 : 1;
  if (unit < 0x800 || (unit >= 0xd800 && unit < 0xe000)) return 2;
  return 3;
};

// \b \t \n \f \r
const SHORT_ESCAPES: ReadonlySet<number> = new Set([8, 9, 10, 12, 13]);
