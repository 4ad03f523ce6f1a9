import type { Request } from 'express';

const ANYWHERE = 'http://registry.invalid';
const PAGES = /^\/(registry|staff|account)(\/|$)/;

/** What addresses of version 0.1 said of patients, beneath `/registry`: names and chart numbers. */
const SPOKEN_PARAMETERS = ['q', 'chart'];

/**
 * The page to go to after sign-in, if it is one of ours; null for anything else, above all for
 * what a browser would take for another host (`//host`, `/\host`). A name or a chart number in an old
 * bookmark is left out: it would go from address to address.
 */
export const nextPage = (wanted: string): string | null => {
  if (!/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(wanted) || !URL.canParse(wanted, ANYWHERE)) return null;
  const page = new URL(wanted, ANYWHERE);
  const { origin, pathname, searchParams } = page;
  if (origin !== ANYWHERE || !PAGES.test(pathname)) return null;
  if (pathname.startsWith('/registry'))
    for (const name of SPOKEN_PARAMETERS) if (searchParams.has(name)) searchParams.delete(name);
  return pathname + page.search;
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

/** Address of the sign-in that leads back to a page, if it is one of ours. */
export const signInFor = (page: string): string => {
  const next = nextPage(page);
  return next === null ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`;
};
