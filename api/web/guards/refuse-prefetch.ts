import type { RequestHandler } from 'express';

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
