import type { Request, RequestHandler } from 'express';
import { PageProblem } from './page-problem.ts';
import { isReading } from './same-origin.ts';
import { signedInOf } from './signed-in-session.ts';

/** Heading for whoever still has the password that they were given. */
export const OWN_PASSWORD_FIRST = 'Choose your own password first';

declare module 'express-session' {
  interface SessionData {
    /** Began with a password that was handed over: nothing is open before another is chosen. */
    needsOwnPassword: boolean;
    /** Began with the password of an invitation: it belongs to no account before that is accepted. */
    invitation: Invited;
  }
}

/** Whom a session shows to have been invited. */
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

/** Where a person chooses a password. @param next the page to go to afterwards */
export const passwordPage = (next: string | null): string =>
  next === null ? PASSWORD : `${PASSWORD}?next=${encodeURIComponent(next)}`;

/** Lets the session of a person with a one-time password choose another one, and nothing else. */
export const requireOwnPassword = (req: Request): void => {
  req.session.needsOwnPassword = true;
};

/** Whether the session is only good for choosing a password. */
export const needsOwnPassword = (req: Request): boolean => req.session.needsOwnPassword === true;

/** Who was invited, of a visitor who came with the password of an invitation; null for anybody else. */
export const invitedIn = (req: Request): Invited | null =>
  req.session.accountId === undefined ? (req.session.invitation ?? null) : null;

/** Redirects a person who has to choose a password to that page first. */
export const ownPasswordFirst: RequestHandler = (req, res, next) => {
  const isFirst = signedInOf(res) === null ? invitedIn(req) !== null : needsOwnPassword(req);
  if (!isFirst || STAYS_OPEN.has(req.path)) next();
  else if (isReading(req)) res.redirect(303, PASSWORD);
  else
    throw new PageProblem(
      403,
      OWN_PASSWORD_FIRST,
      'Nothing was saved: the password that you were given is only good for choosing another.',
    );
};
