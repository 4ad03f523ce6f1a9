import type { Request } from 'express';

/** The token of `Authorization: Bearer <token>`; null without one. @see RFC 6750: the scheme is case-insensitive */
export const bearerToken = (req: Request): string | null =>
  /^Bearer +([^\s]+) *$/i.exec(req.get('Authorization') ?? '')?.[1] ?? null;
