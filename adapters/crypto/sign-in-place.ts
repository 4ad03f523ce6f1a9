import { createHmac, hkdfSync } from 'node:crypto';

const KEY_BYTES = 32;

/** @param passwordHash of the account's password now; null: it has none */
export type SignInPlace = (accountId: string, from: string, passwordHash: string | null) => string;

/**
 * Names the place that an account signs in from, without saying which account or which address: a
 * keyed hash (HMAC-SHA-256) under a key derived from the registry's secret (HKDF, RFC 5869). With
 * another password it is another place: a person who knew the old one is a stranger there.
 */
export const signInPlaceWith = (secret: string): SignInPlace => {
  const key = Buffer.from(hkdfSync('sha256', secret, 'birth-registry', 'sign-in-place', KEY_BYTES));
  return (accountId, from, passwordHash) =>
    createHmac('sha256', key)
      .update(JSON.stringify([accountId, from, passwordHash]))
      .digest('base64url');
};
