import type { RequestHandler, Response } from 'express';
import type { Role } from '../../domain/roles.ts';
import type { Seat, SignedIn, StaffSeat } from '../access/signed-in.ts';
import { signInFor } from './next-page.ts';
import { pageForbidden, signedOut } from './page-problem.ts';
import { isReading } from './same-origin.ts';
import { signedInOf } from './signed-in-session.ts';

/** Lets members with one of these seats through; others get 403, visitors the sign-in. */
export const seats = (...roles: readonly Role[]): RequestHandler =>
  guard((who) => who.kind === 'member' && roles.includes(who.role));

/** Lets those through who may read the logs of their practice; others get 403, visitors the sign-in. */
export const auditors: RequestHandler = guard(mayAudit);

/** Lets members with one of these seats and the service staff through; others get 403, visitors the sign-in. */
export const seatsOrStaff = (...roles: readonly Role[]): RequestHandler =>
  guard((who) => who.kind === 'staff' || roles.includes(who.role));

/** Lets the service staff through; members get 403, visitors the sign-in. */
export const staffOnly: RequestHandler = guard((who) => who.kind === 'staff', true);

/** Lets everybody through who has signed in; visitors get the sign-in. */
export const anyAccount: RequestHandler = guard(() => true);

/** Whether an account may read the logs of its practice: the access log and the audit trail. */
export function mayAudit(who: SignedIn): boolean {
  return who.kind === 'member' && (who.role === 'Admin' || who.isAuditor);
}

/** The member behind a request that {@link seats} has let through. */
export const seatOf = (res: Response): Seat => {
  const who = signedInOf(res);
  if (who?.kind !== 'member') throw new TypeError('The route has no guard for seats.');
  return who;
};

/** The person of the staff behind a request that {@link staffOnly} has let through. */
export const staffOf = (res: Response): StaffSeat => {
  const who = signedInOf(res);
  if (who?.kind !== 'staff') throw new TypeError('The route has no guard for the staff.');
  return who;
};

/** The account behind a request that {@link anyAccount} has let through. */
export const accountOf = (res: Response): SignedIn => {
  const who = signedInOf(res);
  if (who === null) throw new TypeError('The route has no guard for accounts.');
  return who;
};

function guard(mayEnter: (who: SignedIn) => boolean, isForStaff = false): RequestHandler {
  return (req, res, next) => {
    const who = signedInOf(res);
    if (who === null) {
      if (!isReading(req)) throw signedOut();
      res.redirect(303, signInFor(req.originalUrl));
      return;
    }
    if (!mayEnter(who)) throw pageForbidden(who, isForStaff);
    next();
  };
}
