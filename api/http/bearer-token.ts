import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Only the hash may be kept. */
export interface BearerToken {
  readonly text: string;
  /** As the event of the key stores it. */
  readonly hash: string;
}

/** SHA-256 of a raw token, base64url. Sufficient because 256 random bits cannot be guessed. */
export const hashApiToken = (token: string): string =>
  createHash('sha256').update(token).digest('base64url');

/** Several parts of the service need the hash, which is not worth computing again. */
const readBefore = new WeakMap<IncomingMessage, BearerToken | null>();

/** `null` without `Authorization: Bearer <token>`. @see RFC 6750: the scheme is case-insensitive */
export const readBearerToken = (req: IncomingMessage): BearerToken | null => {
  const before = readBefore.get(req);
  if (before !== undefined) return before;
  const text = /^Bearer +([^\s]+) *$/i.exec(req.headers.authorization ?? '')?.[1];
  const token = text === undefined ? null : { text, hash: hashApiToken(text) };
  readBefore.set(req, token);
  return token;
};
