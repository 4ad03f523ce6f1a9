/** The prefix makes browsers refuse the cookie without `Secure` or from another host. */
export const cookieName = (isSecure: boolean): string =>
  isSecure ? '__Host-registry' : 'registry';

/** Clearing the cookie requires the same options. */
export const cookieOptions = (isSecure: boolean) =>
  ({ httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/' }) as const;
