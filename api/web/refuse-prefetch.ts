import type { RequestHandler } from 'express';

/** Where browsers say that they fetch a page before anybody has asked for it. */
const HEADERS = ['Sec-Purpose', 'Purpose', 'X-Moz'];

/**
 * Refuses what a browser fetches ahead: nobody may ever look at it, and the access log would say that they
 * did. The browser asks again when somebody does.
 */
export const refusePrefetch: RequestHandler = (req, res, next) => {
  if (HEADERS.some((name) => req.get(name)?.toLowerCase().includes('prefetch')))
    res.status(403).end();
  else next();
};
