import { hkdfSync } from 'node:crypto';

const SECRET_BYTES = 32;

/** The key that signs session cookies: derived (HKDF-SHA-256, RFC 5869) from the registry's secret. */
export const sessionSecretOf = (secret: string): string =>
  Buffer.from(
    hkdfSync('sha256', secret, 'birth-registry', 'session-cookie', SECRET_BYTES),
  ).toString('base64url');
