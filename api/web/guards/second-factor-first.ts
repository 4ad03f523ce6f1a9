import type { RequestHandler, Response } from 'express';
import type { SignedIn } from '../../access/signed-in.ts';
import { PageProblem } from '../page-problem.ts';
import { isSafeMethod } from '../same-origin.ts';
import { flash } from '../session/flash.ts';
import { getSignedIn } from '../session/signed-in-session.ts';

export const SECURITY_PAGE = '/account/security';

export const STAFF_SIGN_IN = 'The service staff sign in';

export const MEMBERS_SIGN_IN = 'The members of your practice sign in';

export const FACTOR_FIRST = 'Set up a second factor first';

/** @param whose start of the sentence */
export const describeFactorNeed = (whose: string): string =>
  `${whose} with more than a password. To continue, add a passkey or set up an authenticator app, or use the one you already have.`;

/** @param whose start of the sentence */
export const describeRefusedForm = (whose: string): string =>
  `Nothing was changed: ${whose.charAt(0).toLowerCase()}${whose.slice(1)} with more than a password. Add a passkey or set up an authenticator app at ${SECURITY_PAGE} in another tab, then return to this page and submit it again.`;

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
    const whose = who === null ? null : whoNeedsIt(who, isStaffOptional);
    res.locals[LOCAL] = whose !== null;
    const hasFactor = req.session.factorAt !== undefined;
    if (whose === null || hasFactor || STAYS_OPEN.test(req.path)) next();
    else if (isSafeMethod(req)) {
      if ((req.session.flashes ?? []).length === 0) flash(req, 'info', describeFactorNeed(whose));
      res.redirect(303, SECURITY_PAGE);
    } else {
      throw new PageProblem(403, FACTOR_FIRST, describeRefusedForm(whose));
    }
  };

/** `null` if the person needs no second factor. */
const whoNeedsIt = (who: SignedIn, isStaffOptional: boolean): string | null => {
  if (who.kind === 'staff') return isStaffOptional ? null : STAFF_SIGN_IN;
  return who.practice.requiresSecondFactor ? MEMBERS_SIGN_IN : null;
};
