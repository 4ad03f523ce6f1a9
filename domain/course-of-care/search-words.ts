import type { CourseOfCare } from './canonical-record.ts';

const LONGEST_WORD = 60;
const MOST_WORDS = 100;
/** One sign can become eighteen of its parts: an index takes no more than this. */
const LONGEST_FOLDED = 255;
/** Nobody searches for more, and taking a very long text apart takes minutes. */
const LONGEST_READ = 2_000;
const MARKS = /\p{M}/gu;
/** Two of them count as letters; in names they are apostrophes all the same. */
const BETWEEN_WORDS = /(?:[^\p{L}\p{N}]|[ʻʼ])+/u;
const APOSTROPHES = /['’‘ʻʼ`´′＇]/gu;
/** Letters that are signs of their own, not one with a mark, as people type them who lack the key. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ...{ ł: 'l', ø: 'o', đ: 'd', ð: 'd', þ: 'th', æ: 'ae', œ: 'oe', ß: 'ss', ı: 'i', ħ: 'h', ŧ: 't' },
};
const OWN_LETTERS = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'gu');

/**
 * The words of a text as a search compares them: without case and accents, split at everything that
 * is no letter or digit.
 */
export const searchWords = (text: string): readonly string[] =>
  foldedForSearch(text)
    .split(BETWEEN_WORDS)
    .filter((word) => word !== '')
    // By characters: half of a surrogate pair is no text that a table takes.
    .map((word) => [...word].slice(0, LONGEST_WORD).join(''));

/**
 * The words that find a name: its own, and those that it has when its apostrophes are left out, as
 * in "dangelo" for D'Angelo; each once.
 */
export const wordsThatFind = (name: string): readonly string[] => [
  ...new Set([...searchWords(name), ...searchWords(name.replaceAll(APOSTROPHES, ''))]),
];

/** A text without case and accents, in letters that every keyboard has where there are such, trimmed. */
export const foldedForSearch = (text: string): string =>
  text
    .trim()
    .slice(0, LONGEST_READ)
    .normalize('NFKD')
    .replaceAll(MARKS, '')
    .toLowerCase()
    .replaceAll(OWN_LETTERS, (letter) => PLAIN_LETTERS[letter] ?? letter);

/** A chart number as a search compares it; its end is cut off where folding made it too long. */
export const foldedChartNumber = (chartNumber: string): string =>
  [...foldedForSearch(chartNumber)].slice(0, LONGEST_FOLDED).join('');

/** The words of all names in a course of care, each once. */
export const nameWordsOf = ({ mother, children }: CourseOfCare): readonly string[] => {
  const named = [
    ...[mother, ...children].flatMap(({ family_name, given_names }) => [
      family_name ?? '',
      ...given_names,
    ]),
    mother.birth_surname ?? '',
  ];
  return [...new Set(named.flatMap(wordsThatFind))].slice(0, MOST_WORDS);
};
