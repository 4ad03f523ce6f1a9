import type { Request } from 'express';

const ANYWHERE = 'http://registry.invalid';
const PAGES = /^\/(registry|staff|account)(\/|$)/;

/** In `/registry` addresses of version 0.1; contain patient names and chart numbers. */
const SPOKEN_PARAMETERS = ['q', 'chart'];

/**
 * `null` unless the page is one of ours, above all for an address that a browser would read as
 * another host (`//host`, `/\host`). Removes names and chart numbers from old bookmarks, because
 * each redirect would copy them.
 */
export const readNextPage = (address: string): string | null => {
  if (!/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(address) || !URL.canParse(address, ANYWHERE)) return null;
  const page = new URL(address, ANYWHERE);
  const { origin, pathname, searchParams } = page;
  if (origin !== ANYWHERE || !PAGES.test(pathname)) return null;
  if (pathname.startsWith('/registry'))
    for (const name of SPOKEN_PARAMETERS) if (searchParams.has(name)) searchParams.delete(name);
  return pathname + page.search;
};

/** `null` unless the request came from a page of ours. */
export const getPageBefore = (req: Request): string | null => {
  const referrer = req.get('Referer') ?? '';
  if (!URL.canParse(referrer)) return null;
  const { host, pathname, search } = new URL(referrer);
  // A proxy may have rewritten `Host`; the browser's own header is more reliable.
  const isOurs = req.get('Sec-Fetch-Site') === 'same-origin' || host === req.get('Host');
  return isOurs ? readNextPage(pathname + search) : null;
};

export const buildSignInPath = (page: string): string => {
  const next = readNextPage(page);
  return next === null ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`;
};
