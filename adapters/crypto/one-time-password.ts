import { customAlphabet } from 'nanoid';

// No letters and digits that look or sound like others: it is read out and typed in.
const letters = customAlphabet('abcdefghjkmnpqrstuvwxyz23456789', 5);
const GROUPS = 4;

/** A random password to hand over once: `k7mwp-…`, 20 letters and digits, 98 bits. */
export const newOneTimePassword = (): string =>
  Array.from({ length: GROUPS }, () => letters()).join('-');
