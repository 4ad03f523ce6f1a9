import type { RequestHandler, Response } from 'express';
import { PageProblem } from '../page-problem.ts';
import { isSafeMethod } from '../same-origin.ts';
import { addFlash } from '../session/flash.ts';
import { getSignedIn } from '../session/signed-in-session.ts';

export const SECURITY_PAGE = '/account/security';

const LOCAL = 'needsSecondFactor';

export const needsSecondFactor = (res: Response): boolean => res.locals[LOCAL] === true;

const STAYS_OPEN = /^\/(?:account\/(?:security(?:\/|$)|password$|session$)|sign-out$)/;

/**
 * Applies to the service staff, whose accounts affect all practices, and to members of practices
 * that require it.
 * @param isStaffOptional for trials.
 * @see `STAFF_SECOND_FACTOR`
 */
export const requireSecondFactor =
  (isStaffOptional: boolean): RequestHandler =>
  (req, res, next) => {
    const who = getSignedIn(res);
    const isRequired =
      who !== null && (who.kind === 'staff' ? !isStaffOptional : who.practice.requiresSecondFactor);
    res.locals[LOCAL] = isRequired;
    const hasFactor = req.session.factorAt !== undefined;
    if (!isRequired || hasFactor || STAYS_OPEN.test(req.path)) {
      next();
      return;
    }
    const rule = `${who.kind === 'staff' ? 'service staff' : 'members of your practice'} sign in with more than a password.`;
    if (isSafeMethod(req)) {
      if ((req.session.flashes ?? []).length === 0)
        addFlash(req, {
          kind: 'info',
          id: `${who.kind}-factor-first`,
          text: `The ${rule} To continue, add a passkey or set up an authenticator app, or use the one you already have.`,
        });
      res.redirect(303, SECURITY_PAGE);
    } else
      throw new PageProblem(
        403,
        'Set up a second factor first',
        `Nothing was changed: the ${rule} Add a passkey or set up an authenticator app at ${SECURITY_PAGE} in another tab, then return to this page and submit it again.`,
      );
  };
