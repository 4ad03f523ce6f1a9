/** Its name; the prefix makes browsers refuse it without Secure or from another host. */
export const cookieName = (isSecure: boolean): string =>
  isSecure ? '__Host-registry' : 'registry';

/** How it is set. A browser expires it only if it is told the same. */
export const cookieOptions = (isSecure: boolean) =>
  ({ httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/' }) as const;
