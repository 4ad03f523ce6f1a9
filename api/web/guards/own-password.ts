import type { Request, RequestHandler } from 'express';
import { PageProblem } from '../page-problem.ts';
import { isSafeMethod } from '../same-origin.ts';
import { getSignedIn } from '../session/signed-in-session.ts';

/** Heading for a person who still has a password that someone else chose. */
export const OWN_PASSWORD_FIRST = 'Choose your own password first';

declare module 'express-session' {
  interface SessionData {
    /**
     * True if the session began with a one-time password: every page redirects to choosing a new
     * one.
     */
    needsOwnPassword: boolean;
    /**
     * Set if the session began with an invitation's password. It has no account until the person
     * accepts.
     */
    invitation: Invited;
  }
}

/** Invited person of a session. */
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

/**
 * Address of the page for choosing a password.
 * @param next page to open afterwards
 */
export const getPasswordPage = (next: string | null): string =>
  next === null ? PASSWORD : `${PASSWORD}?next=${encodeURIComponent(next)}`;

/** Limits a session that began with a one-time password to choosing a new one. */
export const requireOwnPassword = (req: Request): void => {
  req.session.needsOwnPassword = true;
};

/** True if the session only allows choosing a password. */
export const needsOwnPassword = (req: Request): boolean => req.session.needsOwnPassword === true;

/** Invitation of a visitor who entered its password; `null` for all others. */
export const getInvited = (req: Request): Invited | null =>
  req.session.accountId === undefined ? (req.session.invitation ?? null) : null;

/** Redirects a person who must choose a password to that page. */
export const requirePasswordChange: RequestHandler = (req, res, next) => {
  const isFirst = getSignedIn(res) === null ? getInvited(req) !== null : needsOwnPassword(req);
  if (!isFirst || STAYS_OPEN.has(req.path)) next();
  else if (isSafeMethod(req)) res.redirect(303, PASSWORD);
  else
    throw new PageProblem(
      403,
      OWN_PASSWORD_FIRST,
      'Nothing was saved: the password that you were given is only good for choosing another.',
    );
};
