import type { Request, Response } from 'express';
import { readCookie } from '../web/session/cookie-in.ts';

const MAX_AGE_MS = 180 * 24 * 60 * 60_000;
const PRACTICE_ID = /^[A-Za-z0-9]{1,64}$/;

const getCookieName = (isSecure: boolean): string =>
  isSecure ? '__Host-registry-practice' : 'registry-practice';

/** Grants nothing: the address is public. @param practiceId `null` to remember nothing */
export const rememberPractice = (
  res: Response,
  practiceId: string | null,
  isSecure: boolean,
): void => {
  if (practiceId === null) return;
  res.cookie(getCookieName(isSecure), practiceId, {
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure,
    path: '/',
    maxAge: MAX_AGE_MS,
  });
};

/** `null` if none. */
export const readRememberedPractice = (req: Request, isSecure: boolean): string | null => {
  const practiceId = readCookie(req.headers.cookie ?? '', getCookieName(isSecure));
  return practiceId !== null && PRACTICE_ID.test(practiceId) ? practiceId : null;
};
