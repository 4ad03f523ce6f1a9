import type { RequestHandler } from 'express';
import { pageNotFound } from './page-problem.ts';

const CONTROL_CHARACTER = /\p{Cc}/u;

/**
 * Refuses control characters in addresses: none of ours has any, and Postgres text cannot contain
 * NUL.
 */
export const refuseUnreadablePaths: RequestHandler = (req, _res, next) => {
  if (CONTROL_CHARACTER.test(decode(req.path))) throw pageNotFound();
  next();
};

/** Returns the path unchanged if it cannot be decoded: the router answers that itself. */
const decode = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};
