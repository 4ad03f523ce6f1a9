import { hasUnusableCharacters, withoutStrayInvisible } from './text-input.ts';

/** What a person typed into a field of one line. */
export type TypedLine =
  | { readonly kind: 'line'; readonly line: string }
  | { readonly kind: 'blank' }
  | { readonly kind: 'too long' }
  /** It has control characters or unpaired surrogates. */
  | { readonly kind: 'unusable' };

/** White space may make a text so many times longer than what is left of it. */
const READ_TIMES = 10;

/**
 * Reads a line: trimmed, with single spaces, its letters joined with their accents (NFC), without stray
 * characters that show nothing.
 * @param longest in UTF-16 units of what is left; a text that is far longer is not looked at, because
 * joining takes a time that grows with the square of the text
 */
export const typedLine = (text: string, longest: number): TypedLine => {
  if (text.length > longest * READ_TIMES) return { kind: 'too long' };
  const line = withoutStrayInvisible(text.normalize('NFC')).trim().replace(/\s+/gu, ' ');
  if (line === '') return { kind: 'blank' };
  if (line.length > longest) return { kind: 'too long' };
  return hasUnusableCharacters(line) ? { kind: 'unusable' } : { kind: 'line', line };
};
