import { APOSTROPHES } from '../text-input.ts';
import type { CourseOfCare } from './course.ts';

const MAX_WORD_LENGTH = 60;
const MAX_WORDS = 100;
/** Normalizing can multiply the length of a text, and an index entry has a maximum length. */
const MAX_FOLDED_LENGTH = 255;
/** Longer than any search; normalizing a very long text takes minutes. */
const MAX_READ_LENGTH = 2_000;
const MARKS = /\p{M}/gu;
/** Includes characters that Unicode classifies as letters but names use as apostrophes. */
const BETWEEN_WORDS = /(?:[^\p{L}\p{N}]|[ʻʼʹʽꞌՙ])+/u;
/** Letters without a Unicode decomposition, as typed on a keyboard that lacks them. */
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
/** Printable ASCII needs no normalization, and a simpler split. */
const PLAIN = /^[ -~]*$/;
const BETWEEN_PLAIN_WORDS = /[^a-z0-9]+/;
const ONE_PLAIN_WORD = new RegExp(`^[A-Za-z0-9]{1,${MAX_WORD_LENGTH}}$`);
const OWN_LETTERS = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'gu');

/** Splits a text into words for searching: no case or accents, only letters and digits. */
export const parseSearchWords = (text: string): readonly string[] =>
  splitWords(foldForSearch(text))
    .filter((word) => word !== '')
    // Truncates by code point, because Postgres rejects half of a surrogate pair.
    .map((word) =>
      word.length <= MAX_WORD_LENGTH ? word : [...word].slice(0, MAX_WORD_LENGTH).join(''),
    );

const splitWords = (folded: string): readonly string[] =>
  folded.split(PLAIN.test(folded) ? BETWEEN_PLAIN_WORDS : BETWEEN_WORDS);

/** Lists the distinct words that find a name, with and without its apostrophes ("dangelo" for D'Angelo). */
export const listSearchableWords = (name: string): readonly string[] => {
  if (ONE_PLAIN_WORD.test(name)) return [name.toLowerCase()];
  const bare = name.replaceAll(APOSTROPHES, '');
  const words = parseSearchWords(name);
  return bare === name ? words : [...new Set([...words, ...parseSearchWords(bare)])];
};

export const foldForSearch = (text: string): string => {
  const trimmed = text.trim().slice(0, MAX_READ_LENGTH);
  if (PLAIN.test(trimmed)) return trimmed.toLowerCase();
  return trimmed
    .normalize('NFKD')
    .replaceAll(MARKS, '')
    .toLowerCase()
    .replaceAll(OWN_LETTERS, (letter) => PLAIN_LETTERS[letter] ?? letter);
};

export const foldChartNumber = (chartNumber: string): string => {
  const folded = foldForSearch(chartNumber);
  return folded.length <= MAX_FOLDED_LENGTH
    ? folded
    : [...folded].slice(0, MAX_FOLDED_LENGTH).join('');
};

export const extractNameWords = ({ mother, children }: CourseOfCare): readonly string[] => {
  const names = [
    ...[mother, ...children].flatMap(({ family_name, given_names }) => [
      family_name ?? '',
      ...given_names,
    ]),
    mother.birth_surname ?? '',
    ...[mother, ...children].map(({ suffix }) => suffix ?? ''),
  ];
  return [...new Set(names.flatMap(listSearchableWords))].slice(0, MAX_WORDS);
};
