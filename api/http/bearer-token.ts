import type { IncomingMessage } from 'node:http';

/**
 * Token of `Authorization: Bearer <token>`, if any. @see RFC 6750: the scheme is case-insensitive
 */
export const bearerToken = (req: IncomingMessage): string | null =>
  /^Bearer +([^\s]+) *$/i.exec(req.headers.authorization ?? '')?.[1] ?? null;
