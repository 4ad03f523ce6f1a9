import { type Refusal, refuse } from '../decision.ts';

/** What a person signs in with. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
}

const LONGEST_EMAIL = 254; // RFC 5321, section 4.5.3.1.3: a path of 256 with its angle brackets
const EMAIL = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}.]+(\.[^\s@\p{Cc}.]+)+$/u;
/** The shortest password, in characters. */
export const SHORTEST_PASSWORD = 12;
const LONGEST_PASSWORD = 1_000;

/** Composing the accents of a text of a megabyte takes minutes: what is this long is no email anyway. */
const LONGEST_READ = 1_000;

/** An email in the one form that names an account: trimmed, lower case. */
export const normalisedEmail = (text: string): string =>
  text.trim().slice(0, LONGEST_READ).normalize('NFC').toLowerCase();

/** Why these credentials cannot be an account's; null if they can. The email is normalised. */
export const credentialsRefusal = ({ email, password }: Credentials): Refusal | null =>
  emailRefusal(email) ?? passwordRefusal(password);

/** Why a normalized text cannot be the email of an account; null if it can. */
export const emailRefusal = (email: string): Refusal | null =>
  email.length > LONGEST_EMAIL || !EMAIL.test(email) ? refuse({ code: 'no-email-address' }) : null;

/** Why a text cannot be a password; null if it can. */
export const passwordRefusal = (password: string): Refusal | null => {
  const { length } = [...password];
  if (length < SHORTEST_PASSWORD)
    return refuse({ code: 'password-too-short', least: SHORTEST_PASSWORD });
  if (length > LONGEST_PASSWORD)
    return refuse({ code: 'password-too-long', most: LONGEST_PASSWORD });
  return null;
};
