import type { RequestHandler } from 'express';
import { pageNotFound } from '../page-problem.ts';

const CONTROL_CHARACTER = /\p{Cc}/u;

/** None of our addresses has control characters, and Postgres text cannot contain NUL. */
export const refuseUnreadablePaths: RequestHandler = (req, _res, next) => {
  if (CONTROL_CHARACTER.test(decode(req.path))) throw pageNotFound();
  next();
};

/** Unchanged if it cannot be decoded: the router answers that itself. */
const decode = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/** Headers by which browsers mark a prefetch. */
const HEADERS = ['Sec-Purpose', 'Purpose', 'X-Moz'];

/**
 * The person may never look at the page, and the access log would record that they did. The browser
 * requests it again when they open it.
 */
export const refusePrefetch: RequestHandler = (req, res, next) => {
  if (HEADERS.some((name) => req.get(name)?.toLowerCase().includes('prefetch')))
    res.status(403).end();
  else next();
};
