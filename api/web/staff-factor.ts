import type { RequestHandler } from 'express';
import { flash } from './flash.ts';
import { PageProblem } from './page-problem.ts';
import { isReading } from './same-origin.ts';
import { signedInOf } from './signed-in-session.ts';

/** Where a person sets up what they sign in with. */
export const SECURITY_PAGE = '/account/security';

const STAYS_OPEN = /^\/(?:account\/(?:security(?:\/|$)|password$|session$)|sign-out$)/;

/**
 * Leads the service staff to set up a second factor before anything else: their accounts open what all
 * practices depend on. @see `STAFF_SECOND_FACTOR`
 */
export const staffFactorFirst =
  (isOptional: boolean): RequestHandler =>
  (req, res, next) => {
    const isBare = signedInOf(res)?.kind === 'staff' && req.session.factorAt === undefined;
    if (isOptional || !isBare || STAYS_OPEN.test(req.path)) next();
    else if (isReading(req)) {
      if ((req.session.flashes ?? []).length === 0)
        flash(
          req,
          'info',
          'The service staff sign in with more than a password: set up an authenticator app to go on, or show its code.',
        );
      res.redirect(303, SECURITY_PAGE);
    } else {
      throw new PageProblem(
        403,
        'Set up a second factor first',
        `Nothing was changed: the service staff sign in with more than a password. Set up an authenticator app at ${SECURITY_PAGE}.`,
      );
    }
  };
