import { createHash } from 'node:crypto';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import type { Weights } from './weights.ts';

/** Exact on every machine: integer arithmetic, `+ - * /`, and comparisons, unlike `Math.log`. */
export interface Random {
  /** Number from 0 to 1, exclusive, with 32 random bits. */
  readonly fraction: () => number;
  readonly chance: (share: number) => boolean;
  /** Integer in a range, inclusive. */
  readonly whole: (from: number, to: number) => number;
  /** @throws RangeError if the list is empty */
  readonly pick: <T>(list: readonly T[]) => T;
  readonly weighted: <T>(table: Weights<T>) => T;
  /** Approximately normal value, at most six standard deviations from the mean. */
  readonly about: (mean: number, deviation: number) => number;
  /** UUID of version 4. */
  readonly uuid: () => string;
}

const TWO_TO_32 = 4_294_967_296;
// A sum of twelve fractions has mean 6 and variance 1 (Irwin–Hall).
const SUMMED = 12;

/** Creates a source from a text, whose digest is the state of xoroshiro128+. */
export const createRandom = (seed: string): Random => {
  const digest = createHash('sha256').update(seed).digest();
  const generator = xoroshiro128plusFromState([0, 4, 8, 12].map((at) => digest.readInt32LE(at)));
  const fraction = (): number => (generator.next() >>> 0) / TWO_TO_32;
  const whole = (from: number, to: number): number =>
    from + Math.floor(fraction() * (to - from + 1));
  return {
    fraction,
    whole,
    chance: (share) => fraction() < share,
    pick: (list) => getElement(list, whole(0, list.length - 1)),
    weighted: (table) => {
      let rest = fraction() * table.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [value, weight] of table) {
        rest -= weight;
        if (rest < 0) return value;
      }
      // Rounding may leave a remainder of the last weight.
      return getElement(table, table.length - 1)[0];
    },
    about: (mean, deviation) => {
      let sum = 0;
      for (let term = 0; term < SUMMED; term += 1) sum += fraction();
      return mean + (sum - SUMMED / 2) * deviation;
    },
    uuid: () => {
      const hex = [0, 1, 2, 3]
        .map(() => (generator.next() >>> 0).toString(16).padStart(8, '0'))
        .join('');
      const variant = '89ab'[Number.parseInt(hex.slice(16, 17), 16) % 4] ?? '8';
      return (
        `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-` +
        `${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
      );
    },
  };
};

const getElement = <T>(list: readonly T[], index: number): T => {
  if (index < 0 || index >= list.length) throw new RangeError('There is nothing to pick from');
  return list[index] as T;
};
