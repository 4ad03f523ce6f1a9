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

/** Address of the sign-in that leads back to a page. */
export const signInFor = (page: string): string => `/sign-in?next=${encodeURIComponent(page)}`;
