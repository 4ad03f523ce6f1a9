import { mock } from 'node:test';
import * as assert from 'uvu/assert';
import { BIRTH_WEIGHT_GRAMS } from '../../domain/course/possible-ranges.ts';
import { parseDate, parseDateTime, parseTimeOfDay } from '../../domain/mapping/form/parse-dates.ts';
import {
  parseGestation,
  parseMeasure,
  parseWholeNumber,
} from '../../domain/mapping/form/parse-measures.ts';
import type { Parsed } from '../../domain/mapping/form/parsed.ts';

/** Texts that are slow for a pattern which goes back, or for one that composes accents, by name. */
export const hostileTexts = (length: number): Readonly<Record<string, string>> => ({
  'a letter, spaces, a letter': `a${' '.repeat(length)}b`,
  'a number, commas, a number': `1${','.repeat(length)}1`,
  'numbers and commas': '1,'.repeat(length / 2),
  digits: '1'.repeat(length),
  slashes: '/'.repeat(length),
  letters: 'a'.repeat(length),
  quotes: "'".repeat(length),
  'line breaks': `1${'\n'.repeat(length)}1`,
  'a date, then clocks': `5/12/2026 ${'at 1:00 '.repeat(length / 8)}x`,
  'a number, then words': `1 ${'and '.repeat(length / 4)}x`,
  separators: 'a;'.repeat(length / 2),
  // Normalizing sorts the marks above and below a letter.
  'a letter under marks': `a${'\u0301\u0316'.repeat(length / 2)}`,
});

const offsetAt = () => null;

/** What reads a typed text by patterns, by the name of what it reads; null: the text says nothing of the kind. */
export const READINGS: Readonly<Record<string, (text: string) => Parsed<unknown> | null>> = {
  date: (text) => parseDate(text, ''),
  'time of day': (text) => parseTimeOfDay(text, ''),
  'date and time': (text) => parseDateTime(text, '', offsetAt),
  whole: (text) => parseWholeNumber(text, '', { from: 0, to: 9 }),
  weight: (text) => parseMeasure(text, '', { unit: 'g', range: BIRTH_WEIGHT_GRAMS }, true),
  gestation: (text) => parseGestation(text, ''),
};

const STARTS = ['a', '1', 'may 12 2026', '39w'];
const BETWEEN = [' ', ',', '/', '1', 'a', "'", '.', ' 1:00', 'and ', '1,', '\n'];

/** Beginnings of typed values, and what follows each of them again and again. */
export const REPETITIONS = BETWEEN.flatMap((piece) =>
  STARTS.map((start) => ({
    name: `${start} ${piece}`,
    textOf: (length: number) => `${start}${piece.repeat(length / piece.length)}b`,
  })),
);

const ROUNDS = 5;
/** What takes too long does so each time, and a busy moment of the machine comes once. */
const MAX_TRIES = 10;
/** Below it a clock tells more of the machine than of the work. */
const UNMEASURABLE_MS = 2;
const TIMES_AS_LARGE = 8;
/** Between 8 times as long, of linear time, and 64 times, of quadratic time. */
const MAX_TIMES_AS_LONG = 24;

/** The shortest of a few runs: other work of the machine does not count. */
const fastestMs = (run: () => void): number =>
  Math.min(
    ...Array.from({ length: ROUNDS }, () => {
      const began = performance.now();
      run();
      return performance.now() - began;
    }),
  );

/**
 * Claims that work takes a time that grows with its input alone, whatever the machine: both times are
 * of one run.
 * @param inputOf an input of a size
 */
export const assertLinear = <Input>(
  claim: string,
  size: number,
  inputOf: (size: number) => Input,
  work: (input: Input) => void,
): void => {
  const [small, large] = [inputOf(size), inputOf(TIMES_AS_LARGE * size)];
  work(small);
  const measureRatio = (): number => {
    const largeMs = fastestMs(() => work(large));
    if (largeMs < UNMEASURABLE_MS) return 0;
    const smallMs = fastestMs(() => work(small));
    return largeMs / Math.max(smallMs, UNMEASURABLE_MS / ROUNDS);
  };
  let ratio = measureRatio();
  for (let tries = 1; ratio >= MAX_TIMES_AS_LONG && tries < MAX_TRIES; tries += 1)
    ratio = Math.min(ratio, measureRatio());
  assert.ok(ratio < MAX_TIMES_AS_LONG, `${claim}: ${ratio.toFixed(1)} times as long`);
};

/**
 * The lengths of all texts whose accents are composed while something is done. Composing takes time by
 * the square of the marks on a letter: what comes from outside has to be cut before.
 */
export const lengthsComposed = <Done extends void | Promise<void>>(
  work: () => Done,
): Done extends void ? number[] : Promise<number[]> => {
  const lengths: number[] = [];
  const { normalize } = String.prototype;
  const spy = mock.method(String.prototype, 'normalize', function (this: string, form?: string) {
    lengths.push(this.length);
    return normalize.call(this, form);
  });
  const end = (): number[] => {
    spy.mock.restore();
    return lengths;
  };
  const done = work();
  return (done instanceof Promise ? done.then(end) : end()) as never;
};
