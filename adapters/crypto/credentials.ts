import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import { customAlphabet } from 'nanoid';

/** Loaded on first use: the list is slow to unpack, and most processes never need it. */
let common: ReadonlySet<string> | null = null;

/** True if a lowercase text is in zxcvbn-ts's list of common passwords. */
export const isCommonPassword = (text: string): boolean => {
  common ??= new Set(dictionary['passwords-common']);
  return common.has(text);
};

/** Costs of an Argon2id hash: memory in KiB, passes, threads. */
export interface PasswordCosts {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

// Argon2id is the library's default. OWASP's smallest recommended costs: 19 MiB, two passes.
const COSTS: PasswordCosts = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Argon2id (RFC 9106), in the PHC string form. Lower costs only for tests that are not about passwords. */
export const hashPassword = (password: string, costs = COSTS): Promise<string> =>
  hash(comparable(password), costs);

export const verifyPassword = (passwordHash: string, password: string): Promise<boolean> =>
  verify(passwordHash, comparable(password));

/** Exceeds the maximum length of a password. Normalizing a megabyte of accents takes minutes. */
const MAX_READ_LENGTH = 4_000;

// NIST SP 800-63B: equal characters from another keyboard are the same password.
const comparable = (password: string): string =>
  password.slice(0, MAX_READ_LENGTH).normalize('NFKC');

// No letters or digits that look or sound alike, because people read it aloud and type it.
const letters = customAlphabet('abcdefghjkmnpqrstuvwxyz23456789', 5);
const GROUPS = 4;

/** Random one-time password: `k7mwp-…`, 20 letters and digits, 98 bits. */
export const createOneTimePassword = (): string =>
  Array.from({ length: GROUPS }, () => letters()).join('-');

/** Unsalted, so we can look it up; 98 random bits cannot be guessed. */
export const hashOneTimePassword = (typed: string): string =>
  createHash('sha256').update(comparable(typed).trim().toLowerCase()).digest('base64url');

const KEY_BYTES = 32;

/** @param passwordHash of the account's current password, or `null` if it has none */
export type SignInFingerprint = (
  accountId: string,
  from: string,
  passwordHash: string | null,
) => string;

/** HMAC-SHA-256 reveals neither account nor address. A password change makes every place unknown again. */
export const createSignInFingerprint = (secret: string): SignInFingerprint => {
  const key = Buffer.from(hkdfSync('sha256', secret, 'birth-registry', 'sign-in-place', KEY_BYTES));
  return (accountId, from, passwordHash) =>
    createHmac('sha256', key)
      .update(JSON.stringify([accountId, from, passwordHash]))
      .digest('base64url');
};

const PREFIX = 'rgk_';
const TOKEN_BYTES = 32;
const KEY_ID_BYTES = 16;

/** Raw API token: `rgk_` and 256 random bits. @see spec "Authentication" */
export const createApiToken = (): string => PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');

export const getLastFour = (token: string): string => token.slice(-4);

/** First 128 bits in hex. They name the key's stream, so a token leads to its key without a table. */
export const deriveKeyId = (tokenHash: string): string =>
  Buffer.from(tokenHash, 'base64url').subarray(0, KEY_ID_BYTES).toString('hex');

export const looksLikeApiToken = (text: string): boolean => /^rgk_[A-Za-z0-9_-]{43}$/.test(text);

const SECRET_BYTES = 32;

/** Key that signs session cookies, derived (HKDF-SHA-256, RFC 5869) from the registry's secret. */
export const deriveSessionSecret = (secret: string): string =>
  Buffer.from(
    hkdfSync('sha256', secret, 'birth-registry', 'session-cookie', SECRET_BYTES),
  ).toString('base64url');
