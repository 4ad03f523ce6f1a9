import { createHmac, hkdfSync } from 'node:crypto';

const KEY_BYTES = 32;

/**
 * Names the place that an account signs in from, without saying which account or which address: a
 * keyed hash (HMAC-SHA-256) under a key derived from the registry's secret (HKDF, RFC 5869).
 */
export const signInPlaceWith = (secret: string): ((accountId: string, from: string) => string) => {
  const key = Buffer.from(hkdfSync('sha256', secret, 'birth-registry', 'sign-in-place', KEY_BYTES));
  return (accountId, from) =>
    createHmac('sha256', key)
      .update(JSON.stringify([accountId, from]))
      .digest('base64url');
};
