import type { Request, RequestHandler } from 'express';
import { PageProblem } from '../page-problem.ts';
import { isSafeMethod } from '../same-origin.ts';
import { getSignedIn } from '../session/signed-in-session.ts';

declare module 'express-session' {
  interface SessionData {
    /** True if the session began with a one-time password, which must be replaced first. */
    needsOwnPassword: boolean;
    /**
     * Set if the session began with an invitation's password; there is no account until it is
     * accepted.
     */
    invitation: Invited;
  }
}

export interface Invited {
  readonly accountId: string;
  readonly email: string;
  readonly practiceId: string;
}

const PASSWORD = '/account/password';
const STAYS_OPEN: ReadonlySet<string> = new Set([
  PASSWORD,
  '/sign-in',
  '/sign-in/code',
  '/sign-out',
]);

/** @param next page to open afterwards */
export const getPasswordPage = (next: string | null): string =>
  next === null ? PASSWORD : `${PASSWORD}?next=${encodeURIComponent(next)}`;

export const requireOwnPassword = (req: Request): void => {
  req.session.needsOwnPassword = true;
};

export const needsOwnPassword = (req: Request): boolean => req.session.needsOwnPassword === true;

/** `null` for all but a visitor who entered an invitation's password. */
export const getInvited = (req: Request): Invited | null =>
  req.session.accountId === undefined ? (req.session.invitation ?? null) : null;

export const requirePasswordChange: RequestHandler = (req, res, next) => {
  const isFirst = getSignedIn(res) === null ? getInvited(req) !== null : needsOwnPassword(req);
  if (!isFirst || STAYS_OPEN.has(req.path)) next();
  else if (isSafeMethod(req)) res.redirect(303, PASSWORD);
  else
    throw new PageProblem(
      403,
      'Choose your own password first',
      'Nothing was saved: the password that you were given is only good for choosing another.',
    );
};
