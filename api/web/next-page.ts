import type { Request } from 'express';

const ANYWHERE = 'http://registry.invalid';
const PAGES = /^\/(registry|staff|account)(\/|$)/;

/** Parameters with patient names and chart numbers in `/registry` addresses of version 0.1. */
const SPOKEN_PARAMETERS = ['q', 'chart'];

/**
 * Page to open after sign-in; `null` unless it is one of ours, above all for an address that a
 * browser would read as another host (`//host`, `/\host`). Names and chart numbers from old
 * bookmarks are removed, because each redirect would copy them.
 */
export const readNextPage = (wanted: string): string | null => {
  if (!/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(wanted) || !URL.canParse(wanted, ANYWHERE)) return null;
  const page = new URL(wanted, ANYWHERE);
  const { origin, pathname, searchParams } = page;
  if (origin !== ANYWHERE || !PAGES.test(pathname)) return null;
  if (pathname.startsWith('/registry'))
    for (const name of SPOKEN_PARAMETERS) if (searchParams.has(name)) searchParams.delete(name);
  return pathname + page.search;
};

/** Page of ours that a request came from; `null` for any other. */
export const getPageBefore = (req: Request): string | null => {
  const referrer = req.get('Referer') ?? '';
  if (!URL.canParse(referrer)) return null;
  const { host, pathname, search } = new URL(referrer);
  // A proxy may have rewritten `Host`; the browser's own header is more reliable.
  const isOurs = req.get('Sec-Fetch-Site') === 'same-origin' || host === req.get('Host');
  return isOurs ? readNextPage(pathname + search) : null;
};

/** Address of the sign-in page that returns to a page, if that is one of ours. */
export const buildSignInPath = (page: string): string => {
  const next = readNextPage(page);
  return next === null ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`;
};
