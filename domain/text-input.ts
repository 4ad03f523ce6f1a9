import { type Refusal, refuse } from './decision.ts';

const UNUSABLE = /[\p{Cc}\p{Cs}]/u;

/** Cannot be displayed or stored. */
export const hasUnusableCharacters = (text: string): boolean => UNUSABLE.test(text);

/**
 * Zero-width spaces, direction marks, soft hyphens, byte order marks.
 * @see https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
 */
const INVISIBLE = /[\p{DI}\ufff9-\ufffb]/u;
const EACH_INVISIBLE = new RegExp(INVISIBLE, 'gu');

const UNUSABLE_OR_INVISIBLE = /[\p{Cc}\p{Cs}\p{DI}\ufff9-\ufffb]/u;
// Fast path: nearly every text in a Bundle is printable ASCII.
const PLAIN = /^[ -~]*$/;

export const isUntidy = (text: string): boolean =>
  !PLAIN.test(text) && UNUSABLE_OR_INVISIBLE.test(text);

/** Removes all invisible characters, for comparisons and numbers. */
export const removeInvisible = (text: string): string =>
  INVISIBLE.test(text) ? text.replace(EACH_INVISIBLE, '') : text;

/**
 * Keeps joiners after a letter of Persian, Malayalam, and the like, and variation selectors after a
 * Chinese or Mongolian letter.
 */
export const removeStrayInvisible = (text: string): string =>
  INVISIBLE.test(text)
    ? text.replace(EACH_INVISIBLE, (character, at: number, whole: string) =>
        isSpelling(character, whole, at) ? character : '',
      )
    : text;

const JOINERS: ReadonlySet<string> = new Set(['\u200c', '\u200d']);
const VARIANTS = /[\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u;
const JOINED =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
const VARIED = /[\p{Script=Han}\p{Script=Mongolian}]/u;

const isSpelling = (character: string, text: string, at: number): boolean => {
  const before = [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? '';
  if (JOINERS.has(character)) return JOINED.test(before);
  return VARIANTS.test(character) && VARIED.test(before);
};

const MAX_NAMED = 5;
const EACH_UNUSABLE = new RegExp(UNUSABLE, 'gu');

/**
 * Such as `U+200B, U+FEFF`; `null` if there are none. Includes control characters and surrogates within
 * the text.
 */
export const listInvisible = (
  text: string,
  without: (text: string) => string = removeStrayInvisible,
): string | null => {
  if (!isUntidy(text)) return null;
  const dropped = without(text) === text ? [] : (text.match(EACH_INVISIBLE) ?? []);
  const names = [...new Set([...dropped, ...(text.trim().match(EACH_UNUSABLE) ?? [])])].map(
    (character) =>
      `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
  return names.length === 0 ? null : names.slice(0, MAX_NAMED).join(', ');
};

/** Joiners belong to the spelling of some scripts; {@link parseLine} removes those that do not. */
const MISLEADING = /(?![\u200c\u200d])[\p{Cf}\p{Co}\p{Cn}]/u;

/**
 * Such as U+202E, which turns a part of the name around. Names in Bundles lose such characters instead.
 */
export const hasMisleadingCharacters = (text: string): boolean =>
  !PLAIN.test(text) && MISLEADING.test(text);

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** True for a lowercase UUID of any version. @see RFC 9562 */
export const isUuid = (text: string): boolean => UUID.test(text);

export type ParsedLine =
  | { readonly kind: 'line'; readonly line: string }
  | { readonly kind: 'blank' }
  | { readonly kind: 'too long' }
  /** Contains control characters or unpaired surrogates. */
  | { readonly kind: 'unusable' };

/** Maximum length of the raw text, as a multiple of the length limit. */
const READ_TIMES = 10;

/**
 * @param longest in UTF-16 units; a much longer text is rejected before it is normalized, which takes
 * quadratic time
 */
export const parseLine = (text: string, longest: number): ParsedLine => {
  if (text.length > longest * READ_TIMES) return { kind: 'too long' };
  const line = removeStrayInvisible(text.normalize('NFC')).trim().replace(/\s+/gu, ' ');
  if (line === '') return { kind: 'blank' };
  if (line.length > longest) return { kind: 'too long' };
  return hasUnusableCharacters(line) ? { kind: 'unusable' } : { kind: 'line', line };
};

export type ParsedName =
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'blank' };

/** Rejected in names, because email and chat apps would turn it into a link. */
const WEB_ADDRESS = '://';

/** Parses a name: one line without misleading characters. @param longest in UTF-16 units */
export const parseName = (text: string, longest: number): ParsedName | Refusal => {
  const typed = parseLine(text, longest);
  switch (typed.kind) {
    case 'blank':
      return typed;
    case 'too long':
      return refuse({ code: 'name-too-long', most: longest });
    case 'unusable':
      return refuse({ code: 'name-not-shown' });
    case 'line':
      if (hasMisleadingCharacters(text)) return refuse({ code: 'name-not-shown' });
      return typed.line.includes(WEB_ADDRESS)
        ? refuse({ code: 'name-with-web-address' })
        : { kind: 'named', name: typed.line };
  }
};

export const MIN_REASON_LENGTH = 3;
export const MAX_REASON_LENGTH = 500;
const TOO_SHORT = refuse({ code: 'reason-too-short' });

export const parseReason = (text: string): Extract<ParsedLine, { kind: 'line' }> | Refusal => {
  const reason = parseLine(text, MAX_REASON_LENGTH);
  switch (reason.kind) {
    case 'blank':
      return TOO_SHORT;
    case 'too long':
      return refuse({ code: 'reason-too-long', most: MAX_REASON_LENGTH });
    case 'unusable':
      return refuse({ code: 'reason-not-kept' });
    case 'line':
      return reason.line.length < MIN_REASON_LENGTH ? TOO_SHORT : reason;
  }
};

const MAX_NAME_LENGTH = 200;

export const parseOrganizationName = (
  text: string,
  organization: string,
): { readonly kind: 'named'; readonly name: string } | Refusal => {
  const typed = parseName(text, MAX_NAME_LENGTH);
  return typed.kind === 'blank'
    ? refuse({
        code: 'organization-without-name',
        organization,
        most: MAX_NAME_LENGTH,
      })
    : typed;
};

/** All kinds of apostrophes, and the letters and accents that are typed in their place. */
export const APOSTROPHES = /['’‘‛ʻʼʹʽ`´′ꞌՙ՚׳＇]/gu;

/** All kinds of hyphens and dashes. */
const HYPHENS = /[\p{Pd}−]/gu;

/** `O’Neill` equals `O'Neill`. */
export const unifyPunctuation = (text: string): string =>
  removeInvisible(text).replace(APOSTROPHES, "'").replace(HYPHENS, '-');

/** Common variants in names that were hashed before punctuation was unified. */
const COMMON_APOSTROPHES = ["'", '’', '‘', 'ʼ', 'ʻ', '`', '´'];
const COMMON_HYPHENS = ['-', '‐', '–'];

/** Returns functions that respell a name with other apostrophes and hyphens; empty if it contains neither. */
export const listOtherSpellings = (name: string): readonly ((part: string) => string)[] => {
  const apostrophes = name.search(APOSTROPHES) === -1 ? ["'"] : COMMON_APOSTROPHES;
  const hyphens = name.search(HYPHENS) === -1 ? ['-'] : COMMON_HYPHENS;
  if (apostrophes.length === 1 && hyphens.length === 1) return [];
  return apostrophes.flatMap((apostrophe) =>
    hyphens.map(
      (hyphen) => (part: string) => part.replace(APOSTROPHES, apostrophe).replace(HYPHENS, hyphen),
    ),
  );
};
