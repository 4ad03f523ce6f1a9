const UNUSABLE = /[\p{Cc}\p{Cs}]/u;

/** Whether a text has what no page shows and no store keeps: control characters, unpaired surrogates. */
export const hasUnusableCharacters = (text: string): boolean => UNUSABLE.test(text);

/**
 * Characters that show nothing and that nobody types on purpose: zero-width spaces, marks of direction,
 * soft hyphens, byte order marks. @see https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
 */
const INVISIBLE = /[\p{DI}\ufff9-\ufffb]/u;
const EACH_INVISIBLE = new RegExp(INVISIBLE, 'gu');

const UNUSABLE_OR_INVISIBLE = /[\p{Cc}\p{Cs}\p{DI}\ufff9-\ufffb]/u;
// Much quicker to look for, and nearly every text of a Bundle has nothing else.
const PLAIN = /^[ -~]*$/;

/** Whether a text has unusable or invisible characters: nearly none has. */
export const isUntidy = (text: string): boolean =>
  !PLAIN.test(text) && UNUSABLE_OR_INVISIBLE.test(text);

/** A text without any invisible character, for what is compared or is a number. */
export const withoutInvisible = (text: string): string =>
  INVISIBLE.test(text) ? text.replace(EACH_INVISIBLE, '') : text;

/**
 * A text without invisible characters, except those that belong to its spelling: joiners behind a letter
 * of a script that has them, such as Persian or Malayalam, and variants of a Chinese or Mongolian letter.
 */
export const withoutStrayInvisible = (text: string): string =>
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
export const namesOfInvisible = (
  text: string,
  without: (text: string) => string = withoutStrayInvisible,
): string | null => {
  if (!isUntidy(text) || without(text) === text) return null;
  const names = [...new Set(text.match(EACH_INVISIBLE) ?? [])].map(
    (character) =>
      `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
  return names.slice(0, MAX_NAMED).join(', ');
};
