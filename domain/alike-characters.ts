import { withoutInvisible } from './text-input.ts';

/** Apostrophes of all kinds, and the letters and accents that stand for one in names. */
export const APOSTROPHES = /['’‘‛ʻʼʹʽ`´′ꞌՙ՚׳＇]/gu;

/** Hyphens and dashes of all kinds. */
const HYPHENS = /[\p{Pd}−]/gu;

/**
 * A text in which all apostrophes are one, all hyphens are one, and no character is invisible: `O’Neill`
 * and `O'Neill` are one name.
 */
export const withOnePunctuation = (text: string): string =>
  withoutInvisible(text).replace(APOSTROPHES, "'").replace(HYPHENS, '-');

/** The apostrophes and hyphens that a name was written with before they were compared as one. */
const COMMON_APOSTROPHES = ["'", '’', '‘', 'ʼ', 'ʻ', '`', '´'];
const COMMON_HYPHENS = ['-', '‐', '–'];

/** A name as other senders may have written it, with other apostrophes and hyphens; not as it stands. */
export const otherSpellings = (name: string): readonly ((part: string) => string)[] => {
  const apostrophes = name.search(APOSTROPHES) === -1 ? ["'"] : COMMON_APOSTROPHES;
  const hyphens = name.search(HYPHENS) === -1 ? ['-'] : COMMON_HYPHENS;
  if (apostrophes.length === 1 && hyphens.length === 1) return [];
  return apostrophes.flatMap((apostrophe) =>
    hyphens.map(
      (hyphen) => (part: string) => part.replace(APOSTROPHES, apostrophe).replace(HYPHENS, hyphen),
    ),
  );
};
