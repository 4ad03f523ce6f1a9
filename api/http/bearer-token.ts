import type { IncomingMessage } from 'node:http';

/** The token of `Authorization: Bearer <token>`; `null` without one. @see RFC 6750: the scheme is case-insensitive */
export const readBearerToken = (req: IncomingMessage): string | null =>
  /^Bearer +([^\s]+) *$/i.exec(req.headers.authorization ?? '')?.[1] ?? null;
