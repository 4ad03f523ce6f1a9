import { APOSTROPHES } from '../text-input.ts';
import type { CourseOfCare } from './course.ts';

const MAX_WORD_LENGTH = 60;
const MAX_WORDS = 100;
/** One sign can become eighteen of its parts: an index takes no more than this. */
const MAX_FOLDED_LENGTH = 255;
/** No one searches for more, and taking a very long text apart takes minutes. */
const MAX_READ_LENGTH = 2_000;
const MARKS = /\p{M}/gu;
/** Some of them count as letters; in names they are apostrophes all the same. */
const BETWEEN_WORDS = /(?:[^\p{L}\p{N}]|[ʻʼʹʽꞌՙ])+/u;
/** Letters that are signs of their own, not one with a mark, as people type them who lack the key. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
};
/** Printable ASCII: of what is only that there is nothing to take apart, and less to look up. */
const PLAIN = /^[ -~]*$/;
const BETWEEN_PLAIN_WORDS = /[^a-z0-9]+/;
/** Most names: nothing in them is left out, split or cut. */
const ONE_PLAIN_WORD = new RegExp(`^[A-Za-z0-9]{1,${MAX_WORD_LENGTH}}$`);
const OWN_LETTERS = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'gu');

/**
 * The words of a text as a search compares them: without case and accents, split at everything that
 * is no letter or digit.
 */
export const parseSearchWords = (text: string): readonly string[] =>
  wordsOf(foldForSearch(text))
    .filter((word) => word !== '')
    // By characters: half of a surrogate pair is no text that a table takes.
    .map((word) =>
      word.length <= MAX_WORD_LENGTH ? word : [...word].slice(0, MAX_WORD_LENGTH).join(''),
    );

const wordsOf = (folded: string): readonly string[] =>
  folded.split(PLAIN.test(folded) ? BETWEEN_PLAIN_WORDS : BETWEEN_WORDS);

/**
 * The words that find a name: its own, and those that it has when its apostrophes are left out, as
 * in "dangelo" for D'Angelo; each once.
 */
export const listSearchableWords = (name: string): readonly string[] => {
  if (ONE_PLAIN_WORD.test(name)) return [name.toLowerCase()];
  const bare = name.replaceAll(APOSTROPHES, '');
  const words = parseSearchWords(name);
  return bare === name ? words : [...new Set([...words, ...parseSearchWords(bare)])];
};

/** A text without case and accents, in letters that every keyboard has where there are such, trimmed. */
export const foldForSearch = (text: string): string => {
  const read = text.trim().slice(0, MAX_READ_LENGTH);
  if (PLAIN.test(read)) return read.toLowerCase();
  return read
    .normalize('NFKD')
    .replaceAll(MARKS, '')
    .toLowerCase()
    .replaceAll(OWN_LETTERS, (letter) => PLAIN_LETTERS[letter] ?? letter);
};

/** A chart number as a search compares it; its end is cut off where folding made it too long. */
export const foldChartNumber = (chartNumber: string): string => {
  const folded = foldForSearch(chartNumber);
  return folded.length <= MAX_FOLDED_LENGTH
    ? folded
    : [...folded].slice(0, MAX_FOLDED_LENGTH).join('');
};

/** The words of all names in a course of care, each once. */
export const extractNameWords = ({ mother, children }: CourseOfCare): readonly string[] => {
  const named = [
    ...[mother, ...children].flatMap(({ family_name, given_names }) => [
      family_name ?? '',
      ...given_names,
    ]),
    mother.birth_surname ?? '',
  ];
  return [...new Set(named.flatMap(listSearchableWords))].slice(0, MAX_WORDS);
};
