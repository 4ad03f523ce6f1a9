import {
  typedDate,
  typedDateAndTime,
  typedTimeOfDay,
} from '../../domain/course-of-care/entering/typed-dates.ts';
import {
  typedGestation,
  typedMeasure,
  typedWhole,
} from '../../domain/course-of-care/entering/typed-measures.ts';
import type { TypedValue } from '../../domain/course-of-care/entering/typed-value.ts';
import { BIRTH_WEIGHT_GRAMS } from '../../domain/course-of-care/possible-ranges.ts';

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
  // Normalising sorts the marks above and below a letter.
  'a letter under marks': `a${'\u0301\u0316'.repeat(length / 2)}`,
});

const offsetAt = () => null;

/** What reads a typed text by patterns, by the name of what it reads; null: the text says nothing of the kind. */
export const READINGS: Readonly<Record<string, (text: string) => TypedValue<unknown> | null>> = {
  date: (text) => typedDate(text, ''),
  'time of day': (text) => typedTimeOfDay(text, ''),
  'date and time': (text) => typedDateAndTime(text, '', offsetAt),
  whole: (text) => typedWhole(text, '', { from: 0, to: 9 }),
  weight: (text) => typedMeasure(text, '', { unit: 'g', range: BIRTH_WEIGHT_GRAMS }, true),
  gestation: (text) => typedGestation(text, ''),
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
