import { type Refusal, refuse } from './decision.ts';

const UNUSABLE = /[\p{Cc}\p{Cs}]/u;

/** True if the text has control characters or unpaired surrogates, which no page shows and no store keeps. */
export const hasUnusableCharacters = (text: string): boolean => UNUSABLE.test(text);

/**
 * Characters that are invisible and never typed on purpose: zero-width spaces, marks of direction,
 * soft hyphens, byte order marks. @see https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
 */
const INVISIBLE = /[\p{DI}\ufff9-\ufffb]/u;
const EACH_INVISIBLE = new RegExp(INVISIBLE, 'gu');

const UNUSABLE_OR_INVISIBLE = /[\p{Cc}\p{Cs}\p{DI}\ufff9-\ufffb]/u;
// Much quicker to look for, and nearly every text of a Bundle has nothing else.
const PLAIN = /^[ -~]*$/;

/** True if the text has unusable or invisible characters, which is rare. */
export const isUntidy = (text: string): boolean =>
  !PLAIN.test(text) && UNUSABLE_OR_INVISIBLE.test(text);

/** A text without any invisible character, for what is compared or is a number. */
export const removeInvisible = (text: string): string =>
  INVISIBLE.test(text) ? text.replace(EACH_INVISIBLE, '') : text;

/**
 * A text without invisible characters, except those that belong to its spelling: joiners behind a letter
 * of a script that has them, such as Persian or Malayalam, and variants of a Chinese or Mongolian letter.
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

/**
 * Names the invisible characters that a text loses, each once: `U+200B, U+FEFF`; null: it loses none.
 * @param without what it is without them
 */
export const listInvisible = (
  text: string,
  without: (text: string) => string = removeStrayInvisible,
): string | null => {
  if (!isUntidy(text) || without(text) === text) return null;
  const names = [...new Set(text.match(EACH_INVISIBLE) ?? [])].map(
    (character) =>
      `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
  return names.slice(0, MAX_NAMED).join(', ');
};

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** True for a UUID in lower case, of any version. @see RFC 9562 */
export const isUuid = (text: string): boolean => UUID.test(text);

/** Text of a one-line field, parsed. */
export type ParsedLine =
  | { readonly kind: 'line'; readonly line: string }
  | { readonly kind: 'blank' }
  | { readonly kind: 'too long' }
  /** It has control characters or unpaired surrogates. */
  | { readonly kind: 'unusable' };

/** Maximum ratio between a text and what is left of it without extra white space. */
const READ_TIMES = 10;

/**
 * Reads a line: trimmed, with single spaces, its letters joined with their accents (NFC), without stray
 * characters that show nothing.
 * @param longest in UTF-16 units of what is left; a text that is far longer is not looked at, because
 * joining takes a time that grows with the square of the text
 */
export const parseLine = (text: string, longest: number): ParsedLine => {
  if (text.length > longest * READ_TIMES) return { kind: 'too long' };
  const line = removeStrayInvisible(text.normalize('NFC')).trim().replace(/\s+/gu, ' ');
  if (line === '') return { kind: 'blank' };
  if (line.length > longest) return { kind: 'too long' };
  return hasUnusableCharacters(line) ? { kind: 'unusable' } : { kind: 'line', line };
};

/** Name as typed, parsed. */
export type ParsedName =
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'blank' };

/** Mail programs and chats make a link of it, and a name is read by people who did not choose it. */
const WEB_ADDRESS = '://';

/** Reads a name: one line. @param longest in UTF-16 units */
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
      return typed.line.includes(WEB_ADDRESS)
        ? refuse({ code: 'name-with-web-address' })
        : { kind: 'named', name: typed.line };
  }
};

/** The shortest reason that says anything, in characters. */
export const MIN_REASON_LENGTH = 3;
/** The longest reason, in characters. */
export const MAX_REASON_LENGTH = 500;
const TOO_SHORT = refuse({ code: 'reason-too-short' });

/** Reads why a person does something that others will want to understand. */
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

/**
 * The name of a practice or a partner: one line, not blank, at most 200 characters.
 * @param organization what it is called in a refusal, such as `practice`
 */
export const parseOrganizationName = (
  text: string,
  organization: string,
): { readonly kind: 'named'; readonly name: string } | Refusal => {
  const typed = parseName(text, MAX_NAME_LENGTH);
  return typed.kind === 'blank'
    ? refuse({
        code: 'organization-without-name',
        organization: organization,
        most: MAX_NAME_LENGTH,
      })
    : typed;
};

/** Apostrophes of all kinds, and the letters and accents that stand for one in names. */
export const APOSTROPHES = /['’‘‛ʻʼʹʽ`´′ꞌՙ՚׳＇]/gu;

/** Hyphens and dashes of all kinds. */
const HYPHENS = /[\p{Pd}−]/gu;

/**
 * A text in which all apostrophes are one, all hyphens are one, and no character is invisible: `O’Neill`
 * and `O'Neill` are one name.
 */
export const unifyPunctuation = (text: string): string =>
  removeInvisible(text).replace(APOSTROPHES, "'").replace(HYPHENS, '-');

/** The apostrophes and hyphens that a name was written with before they were compared as one. */
const COMMON_APOSTROPHES = ["'", '’', '‘', 'ʼ', 'ʻ', '`', '´'];
const COMMON_HYPHENS = ['-', '‐', '–'];

/** A name as other senders may have written it, with other apostrophes and hyphens; not as it stands. */
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
