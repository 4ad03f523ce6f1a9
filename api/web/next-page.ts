import type { Request } from 'express';

const ANYWHERE = 'http://registry.invalid';
const PAGES = /^\/(registry|staff|account)(\/|$)/;

/**
 * The page to go to after sign-in, if it is one of ours; null for anything else, above all for
 * what a browser would take for another host (`//host`, `/\host`).
 */
export const nextPage = (wanted: string): string | null => {
  if (!/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(wanted) || !URL.canParse(wanted, ANYWHERE)) return null;
  const { origin, pathname, search } = new URL(wanted, ANYWHERE);
  return origin === ANYWHERE && PAGES.test(pathname) ? pathname + search : null;
};

/** The page that a request came from, if it is one of ours on the same host; else null. */
export const pageBefore = (req: Request): string | null => {
  const referrer = req.get('Referer') ?? '';
  if (!URL.canParse(referrer)) return null;
  const { host, pathname, search } = new URL(referrer);
  // A proxy may have put another host into the request; the browser knows better then.
  const isOurs = req.get('Sec-Fetch-Site') === 'same-origin' || host === req.get('Host');
  return isOurs ? nextPage(pathname + search) : null;
};

/** Address of the sign-in that leads back to a page. */
export const signInFor = (page: string): string => `/sign-in?next=${encodeURIComponent(page)}`;
