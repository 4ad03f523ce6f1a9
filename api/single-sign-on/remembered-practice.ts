import type { Request, Response } from 'express';
import { cookieIn } from '../web/cookie-in.ts';

const KEPT_MS = 180 * 24 * 60 * 60_000;
/** Ids of practices are letters and digits. */
const PRACTICE_ID = /^[A-Za-z0-9]{1,64}$/;

const nameOf = (isSecure: boolean): string =>
  isSecure ? '__Host-registry-practice' : 'registry-practice';

/**
 * Makes the sign-in page of this browser offer a practice's single sign-on from now on. It grants nothing:
 * anyone may know that address.
 * @param practiceId null: nothing is remembered
 */
export const rememberPractice = (
  res: Response,
  practiceId: string | null,
  isSecure: boolean,
): void => {
  if (practiceId === null) return;
  res.cookie(nameOf(isSecure), practiceId, {
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure,
    path: '/',
    maxAge: KEPT_MS,
  });
};

/** The practice whose single sign-on somebody has used in this browser; null: none. */
export const readRememberedPractice = (req: Request, isSecure: boolean): string | null => {
  const practiceId = cookieIn(req.headers.cookie ?? '', nameOf(isSecure));
  return practiceId !== null && PRACTICE_ID.test(practiceId) ? practiceId : null;
};
