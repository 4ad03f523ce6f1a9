import { type Refusal, refuse } from '../decision.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

const MAX_EMAIL_LENGTH = 254; // RFC 5321, section 4.5.3.1.3: a path of 256 with its angle brackets
/** No part has a character that cannot be seen, so that two emails that look alike are the same. */
const EMAIL = /^[^\s@\p{C}\p{DI}]+@[^\s@\p{C}\p{DI}.]+(\.[^\s@\p{C}\p{DI}.]+)+$/u;
export const MIN_PASSWORD_LENGTH = 12;
const MAX_PASSWORD_LENGTH = 1_000;

/** Longer text cannot be an email, and normalizing a very long one is slow. */
const MAX_READ_LENGTH = 1_000;

/** Trimmed, lower case. */
export const normalizeEmail = (text: string): string =>
  text.trim().slice(0, MAX_READ_LENGTH).normalize('NFC').toLowerCase();

/** Returns `null` if a normalized text can be the email of an account. */
export const checkEmail = (email: string): Refusal | null =>
  email.length > MAX_EMAIL_LENGTH || !EMAIL.test(email)
    ? refuse({ code: 'no-email-address' })
    : null;

/** Public facts, which attackers try first. */
export interface PasswordOwner {
  readonly email: string;
  /** Name of the practice; `null` for the service staff. */
  readonly practice: string | null;
}

/** Takes the password in lower case. */
export type IsCommonPassword = (password: string) => boolean;

/** @see NIST SP 800-63B-4, 3.1.1.2: length, common and context-specific words, no other rules */
export const checkPassword = (
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

/** Words that the sign-in page shows to all visitors. */
const SERVICE_WORDS = ['birth', 'registry'];
/** Shorter names occur in many ordinary phrases. */
const MIN_NAME_LENGTH = 4;
const MIN_OWN_CHARACTERS = 6;

const keepLettersAndDigits = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

const splitWords = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= MIN_NAME_LENGTH);

const isMadeOfNames = (password: string, { email, practice }: PasswordOwner): boolean => {
  const [beforeAt = ''] = email.split('@');
  const typed = keepLettersAndDigits(password);
  const whole = [beforeAt, practice ?? '']
    .map(keepLettersAndDigits)
    .filter((name) => name.length >= MIN_NAME_LENGTH);
  if (whole.some((name) => typed.includes(name))) return true;
  const words = [...splitWords(email), ...splitWords(practice ?? ''), ...SERVICE_WORDS];
  const hasName = words.some((word) => typed.includes(word));
  const left = words.reduce((rest, word) => rest.replaceAll(word, ''), typed);
  return hasName && left.replace(/\p{N}+/gu, '').length < MIN_OWN_CHARACTERS;
};

const isEasyToGuess = (password: string, isCommon: IsCommonPassword): boolean => {
  const typed = password.normalize('NFKC').toLowerCase();
  const repeated = findRepeatedUnit(typed);
  return (
    [typed, stripPadding(typed), repeated].some((text) => text !== null && isCommon(text)) ||
    (repeated !== null && repeated.length < MIN_NAME_LENGTH) ||
    isSequence(typed)
  );
};

/** Strips digits and punctuation around the letters: "football2026!" is a common password. */
const stripPadding = (text: string): string => {
  const characters = [...text];
  const isLetter = (character: string): boolean => /\p{L}/u.test(character);
  const first = Math.max(characters.findIndex(isLetter), 0);
  return characters.slice(first, characters.findLastIndex(isLetter) + 1).join('');
};

/** `null` if it has none. */
const findRepeatedUnit = (text: string): string | null => {
  for (let length = 1; length <= text.length / 2; length += 1) {
    const unit = text.slice(0, length);
    if (text.length % length === 0 && unit.repeat(text.length / length) === text) return unit;
  }
  return null;
};

/** True if each character follows the one before: "abcdefghijkl", "210987654321". */
const isSequence = (text: string): boolean => {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  return [1, -1].some((step) =>
    codes.every((code, at) => {
      const before = codes[at - 1];
      return before === undefined || code === before + step || isWraparound(before, code, step);
    }),
  );
};

const isWraparound = (from: number, to: number, step: number): boolean => {
  const [nine, zero] = [0x39, 0x30];
  return step > 0 ? from === nine && to === zero : from === zero && to === nine;
};

/**
 * Consecutive wrong passwords after which even the right one opens the account only from a known address.
 * @see NIST SP 800-63B-4, 3.2.2: at most 100 consecutive failed attempts on a single account
 */
export const MAX_FAILURES = 100;

export interface RightPassword {
  /** Expiry of a one-time password; `null` if the owner chose the password. */
  readonly endsAt: Date | null;
  readonly failures: number;
  readonly isKnownAddress: boolean;
}

/**
 * After too many failures a correct password may have been guessed: it is reported as wrong, unless it
 * comes from a known address. A new password from an Admin resets the count.
 */
export const judgePassword = (
  { endsAt, failures, isKnownAddress }: RightPassword,
  now: Date,
): 'valid' | 'expired' | 'wrong' => {
  if (failures >= MAX_FAILURES && !isKnownAddress) return 'wrong';
  return endsAt !== null && endsAt.getTime() <= now.getTime() ? 'expired' : 'valid';
};
