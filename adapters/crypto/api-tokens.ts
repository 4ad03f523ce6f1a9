import { createHash, randomBytes } from 'node:crypto';

const PREFIX = 'rgk_';
const TOKEN_BYTES = 32;
const KEY_ID_BYTES = 16;

/** A raw API token: `rgk_` and 256 random bits. @see spec "Authentication" */
export const newApiToken = (): string => PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');

/** SHA-256 of a raw token, base64url. Enough for 256 random bits: there is nothing to guess. */
export const hashApiToken = (token: string): string =>
  createHash('sha256').update(token).digest('base64url');

/**
 * Id of the key with this hash: its first 128 bits in hex, so that it can be typed at a shell. The id names the key's stream, so a token
 * leads to its key without any table in between.
 */
export const keyIdOf = (tokenHash: string): string =>
  Buffer.from(tokenHash, 'base64url').subarray(0, KEY_ID_BYTES).toString('hex');

/** Whether a text has the shape of a raw token of ours. */
export const looksLikeApiToken = (text: string): boolean => /^rgk_[A-Za-z0-9_-]{43}$/.test(text);
