import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { customAlphabet } from 'nanoid';

/** Costs of an Argon2id hash: memory in KiB, passes, threads. */
export interface PasswordCosts {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

// Argon2id, the library's own choice, with OWASP's smallest recommended costs: 19 MiB, two passes.
const COSTS: PasswordCosts = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Hashes a password with Argon2id (RFC 9106) and a random salt.
 * @param costs lower ones are for tests that are not about passwords
 * @returns the PHC string form
 */
export const hashPassword = (password: string, costs = COSTS): Promise<string> =>
  hash(comparable(password), costs);

/** Whether a password is the one behind a hash of {@link hashPassword}. */
export const isPassword = (passwordHash: string, password: string): Promise<boolean> =>
  verify(passwordHash, comparable(password));

/** More UTF-16 units than any password may have; composing a megabyte of accents takes minutes. */
const MAX_READ_LENGTH = 4_000;

// NIST SP 800-63B: the same characters typed at another keyboard are the same password.
const comparable = (password: string): string =>
  password.slice(0, MAX_READ_LENGTH).normalize('NFKC');

// No letters and digits that look or sound like others: it is read out and typed in.
const letters = customAlphabet('abcdefghjkmnpqrstuvwxyz23456789', 5);
const GROUPS = 4;

/** A random password to hand over once: `k7mwp-…`, 20 letters and digits, 98 bits. */
export const createOneTimePassword = (): string =>
  Array.from({ length: GROUPS }, () => letters()).join('-');

/**
 * SHA-256 of a one-time password as it was typed, base64url. With 98 random bits there is nothing to
 * guess, so that one of many can be looked up by it.
 */
export const hashOneTimePassword = (typed: string): string =>
  createHash('sha256').update(comparable(typed).trim().toLowerCase()).digest('base64url');

const KEY_BYTES = 32;

/** @param passwordHash of the account's password now; null: it has none */
export type SignInFingerprint = (
  accountId: string,
  from: string,
  passwordHash: string | null,
) => string;

/**
 * Names the place that an account signs in from, without saying which account or which address: a
 * keyed hash (HMAC-SHA-256) under a key derived from the registry's secret (HKDF, RFC 5869). With
 * another password it is another place: a person who knew the old one is a stranger there.
 */
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

/** A raw API token: `rgk_` and 256 random bits. @see spec "Authentication" */
export const createApiToken = (): string => PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');

/** SHA-256 of a raw token, base64url. Enough for 256 random bits: there is nothing to guess. */
export const hashApiToken = (token: string): string =>
  createHash('sha256').update(token).digest('base64url');

/** The end of a raw token: enough to tell keys apart by, 24 of its 256 bits. */
export const getLastFour = (token: string): string => token.slice(-4);

/**
 * Id of the key with this hash: its first 128 bits in hex, so that it can be typed at a shell. The id names the key's stream, so a token
 * leads to its key without any table in between.
 */
export const deriveKeyId = (tokenHash: string): string =>
  Buffer.from(tokenHash, 'base64url').subarray(0, KEY_ID_BYTES).toString('hex');

/** Whether a text has the shape of a raw token of ours. */
export const looksLikeApiToken = (text: string): boolean => /^rgk_[A-Za-z0-9_-]{43}$/.test(text);

const SECRET_BYTES = 32;

/** The key that signs session cookies: derived (HKDF-SHA-256, RFC 5869) from the registry's secret. */
export const deriveSessionSecret = (secret: string): string =>
  Buffer.from(
    hkdfSync('sha256', secret, 'birth-registry', 'session-cookie', SECRET_BYTES),
  ).toString('base64url');
