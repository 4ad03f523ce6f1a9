import type { RequestHandler, Response } from 'express';
import type { SignedIn } from '../access/signed-in.ts';
import { flash } from './flash.ts';
import { PageProblem } from './page-problem.ts';
import { isReading } from './same-origin.ts';
import { signedInOf } from './signed-in-session.ts';

/** Where a person sets up what they sign in with. */
export const SECURITY_PAGE = '/account/security';

/** Begins a sentence about the service staff. */
export const STAFF_SIGN_IN = 'The service staff sign in';

/** Begins a sentence about the members of a practice that requires a second factor. */
export const MEMBERS_SIGN_IN = 'The members of your practice sign in';

/** Heading of the answer to a form that came before the second factor. */
export const FACTOR_FIRST = 'Set up a second factor first';

/** Says why a page leads to the second factor. @param whose the beginning of the sentence */
export const describeFactorNeed = (whose: string): string =>
  `${whose} with more than a password. To continue, add a passkey or set up an authenticator app, or use the one you already have.`;

/** Says why a form was refused before the second factor. @param whose the beginning of the sentence */
export const describeRefusedForm = (whose: string): string =>
  `Nothing was changed: ${whose.charAt(0).toLowerCase()}${whose.slice(1)} with more than a password. Add a passkey or set up an authenticator app at ${SECURITY_PAGE} in another tab, then come back to this page and send it again.`;

const LOCAL = 'needsSecondFactor';

/** Whether the person who sent a request has to have a second factor. */
export const needsSecondFactor = (res: Response): boolean => res.locals[LOCAL] === true;

const STAYS_OPEN = /^\/(?:account\/(?:security(?:\/|$)|password$|session$)|sign-out$)/;

/**
 * Makes people who need a second factor set one up before anything else: the service staff, on whose accounts
 * all practices depend, and the members of a practice that requires it.
 * @param isStaffOptional for trials. @see `STAFF_SECOND_FACTOR`
 */
export const secondFactorFirst =
  (isStaffOptional: boolean): RequestHandler =>
  (req, res, next) => {
    const who = signedInOf(res);
    const whose = who === null ? null : whoNeedsIt(who, isStaffOptional);
    res.locals[LOCAL] = whose !== null;
    const isShown = req.session.factorAt !== undefined;
    if (whose === null || isShown || STAYS_OPEN.test(req.path)) next();
    else if (isReading(req)) {
      if ((req.session.flashes ?? []).length === 0) flash(req, 'info', describeFactorNeed(whose));
      res.redirect(303, SECURITY_PAGE);
    } else {
      throw new PageProblem(403, FACTOR_FIRST, describeRefusedForm(whose));
    }
  };

/** The beginning of a sentence; null: they may work without. */
const whoNeedsIt = (who: SignedIn, isStaffOptional: boolean): string | null => {
  if (who.kind === 'staff') return isStaffOptional ? null : STAFF_SIGN_IN;
  return who.practice.requiresSecondFactor ? MEMBERS_SIGN_IN : null;
};
