import type { Weights } from './weights.ts';

/**
 * Seeded randomness: the same seed produces the same values on every machine. Only integer
 * arithmetic, `+ - * /`, and comparisons, which are exact everywhere, unlike `Math.log` or
 * `Math.cos`.
 */
export interface Random {
  /** Number from 0 to 1, exclusive, with 32 random bits. */
  readonly fraction: () => number;
  /** True with this probability. */
  readonly chance: (share: number) => boolean;
  /** Integer in a range, inclusive. */
  readonly whole: (from: number, to: number) => number;
  /**
   * Random element of a list.
   * @throws RangeError if the list is empty
   */
  readonly pick: <T>(list: readonly T[]) => T;
  /** Random value of a table, by weight. */
  readonly weighted: <T>(table: Weights<T>) => T;
  /** Approximately normal value, at most six standard deviations from the mean. */
  readonly about: (mean: number, deviation: number) => number;
  /** UUID of version 4. */
  readonly uuid: () => string;
}

const TWO_TO_32 = 4_294_967_296;
// Rounds until every bit of the seed has affected every bit of the state.
const WARM_UP = 15;
// A sum of twelve fractions has mean 6 and variance 1 (Irwin–Hall).
const SUMMED = 12;

/**
 * Creates a source from a text: sfc32, the 128-bit "small fast counting" generator of PractRand,
 * with a state from four FNV-1a hashes.
 */
export const randomFrom = (seed: string): Random => {
  let a = hashOf(seed, 0x811c9dc5);
  let b = hashOf(seed, 0x9e3779b9);
  let c = hashOf(seed, 0x85ebca6b);
  let counter = hashOf(seed, 0xc2b2ae35);
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < WARM_UP; round += 1) next();

  const fraction = (): number => next() / TWO_TO_32;
  const whole = (from: number, to: number): number =>
    from + Math.floor(fraction() * (to - from + 1));
  const hex = (): string => next().toString(16).padStart(8, '0');
  return {
    fraction,
    whole,
    chance: (share) => fraction() < share,
    pick: (list) => elementOf(list, whole(0, list.length - 1)),
    weighted: (table) => {
      let rest = fraction() * table.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [value, weight] of table) {
        rest -= weight;
        if (rest < 0) return value;
      }
      // Rounding may leave a remainder of the last weight.
      return elementOf(table, table.length - 1)[0];
    },
    about: (mean, deviation) => {
      let sum = 0;
      for (let term = 0; term < SUMMED; term += 1) sum += fraction();
      return mean + (sum - SUMMED / 2) * deviation;
    },
    uuid: () => {
      const [first, second, third, fourth] = [hex(), hex(), hex(), hex()];
      const variant = '89ab'[Number.parseInt(third.slice(0, 1), 16) % 4] ?? '8';
      return (
        `${first}-${second.slice(0, 4)}-4${second.slice(5)}-` +
        `${variant}${third.slice(1, 4)}-${third.slice(4)}${fourth}`
      );
    },
  };
};

const elementOf = <T>(list: readonly T[], index: number): T => {
  if (index < 0 || index >= list.length) throw new RangeError('There is nothing to pick from');
  return list[index] as T;
};

/** FNV-1a with a given basis and a final mix. */
const hashOf = (text: string, basis: number): number => {
  let hash = basis;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad);
  return (hash ^ (hash >>> 15)) | 0;
};
