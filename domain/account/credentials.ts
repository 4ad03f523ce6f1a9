import { type Refusal, refuse } from '../decision.ts';

/** What a person signs in with. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
}

const MAX_EMAIL_LENGTH = 254; // RFC 5321, section 4.5.3.1.3: a path of 256 with its angle brackets
const EMAIL = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}.]+(\.[^\s@\p{Cc}.]+)+$/u;
/** The shortest password, in characters. */
export const MIN_PASSWORD_LENGTH = 12;
const MAX_PASSWORD_LENGTH = 1_000;

/** Composing the accents of a text of a megabyte takes minutes: what is this long is no email anyway. */
const MAX_READ_LENGTH = 1_000;

/** An email in the one form that names an account: trimmed, lower case. */
export const normalizedEmail = (text: string): string =>
  text.trim().slice(0, MAX_READ_LENGTH).normalize('NFC').toLowerCase();

/** Why a normalized text cannot be the email of an account; null if it can. */
export const emailRefusal = (email: string): Refusal | null =>
  email.length > MAX_EMAIL_LENGTH || !EMAIL.test(email)
    ? refuse({ code: 'no-email-address' })
    : null;

/** Whose password it is to be: what others know of them is what they try first. */
export interface PasswordOwner {
  /** Normalized. */
  readonly email: string;
  /** Name of the practice; null: the service staff. */
  readonly practice: string | null;
}

/** Whether a password, in lower case, stands in a list of those that most people choose. */
export type IsCommonPassword = (password: string) => boolean;

/**
 * Why a text cannot be somebody's password; null if it can.
 * @see NIST SP 800-63B-4, 3.1.1.2: length, common and context-specific words, no other rules
 */
export const passwordRefusal = (
  password: string,
  owner: PasswordOwner,
  isCommon: IsCommonPassword,
): Refusal | null => {
  const { length } = [...password];
  if (length < MIN_PASSWORD_LENGTH)
    return refuse({ code: 'password-too-short', least: MIN_PASSWORD_LENGTH });
  if (length > MAX_PASSWORD_LENGTH)
    return refuse({ code: 'password-too-long', most: MAX_PASSWORD_LENGTH });
  if (isMadeOfNames(password, owner)) return refuse({ code: 'password-of-names' });
  return isEasyToGuess(password, isCommon) ? refuse({ code: 'password-common' }) : null;
};

/** What anybody may know who sees the sign-in. */
const SERVICE_WORDS = ['birth', 'registry'];
/** A name that is shorter stands in many sentences. */
const MIN_NAME_LENGTH = 4;
/** So much of a password has to be of its owner's own, beside names, digits and signs. */
const MIN_OWN_CHARACTERS = 6;

const lettersAndDigits = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= MIN_NAME_LENGTH);

const isMadeOfNames = (password: string, { email, practice }: PasswordOwner): boolean => {
  const [beforeAt = ''] = email.split('@');
  const typed = lettersAndDigits(password);
  const whole = [beforeAt, practice ?? '']
    .map(lettersAndDigits)
    .filter((name) => name.length >= MIN_NAME_LENGTH);
  if (whole.some((name) => typed.includes(name))) return true;
  const words = [...wordsOf(email), ...wordsOf(practice ?? ''), ...SERVICE_WORDS];
  const hasName = words.some((word) => typed.includes(word));
  const left = words.reduce((rest, word) => rest.replaceAll(word, ''), typed);
  return hasName && left.replace(/\p{N}+/gu, '').length < MIN_OWN_CHARACTERS;
};

const isEasyToGuess = (password: string, isCommon: IsCommonPassword): boolean => {
  const typed = password.normalize('NFKC').toLowerCase();
  const repeated = repeatedIn(typed);
  return (
    [typed, coreOf(typed), repeated].some((text) => text !== null && isCommon(text)) ||
    (repeated !== null && repeated.length < MIN_NAME_LENGTH) ||
    isSequence(typed)
  );
};

/** "football2026!" is a common word with what is put around one to make it longer. */
const coreOf = (text: string): string => {
  const characters = [...text];
  const isLetter = (character: string): boolean => /\p{L}/u.test(character);
  const first = Math.max(characters.findIndex(isLetter), 0);
  return characters.slice(first, characters.findLastIndex(isLetter) + 1).join('');
};

/** What a text says over and over; null: nothing. */
const repeatedIn = (text: string): string | null => {
  for (let length = 1; length <= text.length / 2; length += 1) {
    const unit = text.slice(0, length);
    if (text.length % length === 0 && unit.repeat(text.length / length) === text) return unit;
  }
  return null;
};

/** Each character one further than the one before: "abcdefghijkl", "210987654321". */
const isSequence = (text: string): boolean => {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  return [1, -1].some((step) =>
    codes.every((code, at) => {
      const before = codes[at - 1];
      return before === undefined || code === before + step || isTurn(before, code, step);
    }),
  );
};

/** From 9 to 0, or back. */
const isTurn = (from: number, to: number, step: number): boolean => {
  const [nine, zero] = [0x39, 0x30];
  return step > 0 ? from === nine && to === zero : from === zero && to === nine;
};
