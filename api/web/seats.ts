import type { RequestHandler, Response } from 'express';
import type { Role } from '../../domain/roles.ts';
import type { Seat, SignedIn, StaffSeat } from '../access/signed-in.ts';
import { signInFor } from './next-page.ts';
import { pageForbidden, signedOut } from './page-problem.ts';
import { isReading } from './same-origin.ts';
import { signedInOf } from './signed-in-session.ts';

/** Admits members with one of these seats; others get 403, visitors the sign-in. */
export const seats = (...roles: readonly Role[]): RequestHandler =>
  guard((who) => who.kind === 'member' && roles.includes(who.role));

/** Admits accounts that may read their practice's logs; others get 403, visitors the sign-in. */
export const auditors: RequestHandler = guard(mayAudit);

/**
 * Admits service staff and members with one of these seats; others get 403, visitors the sign-in.
 */
export const seatsOrStaff = (...roles: readonly Role[]): RequestHandler =>
  guard((who) => who.kind === 'staff' || roles.includes(who.role));

/** Admits service staff; members get 403, visitors the sign-in. */
export const staffOnly: RequestHandler = guard((who) => who.kind === 'staff', true);

/** Admits any signed-in person; visitors get the sign-in. */
export const anyAccount: RequestHandler = guard(() => true);

/** True if an account may read its practice's access log and audit trail. */
export function mayAudit(who: SignedIn): boolean {
  return who.kind === 'member' && (who.role === 'Admin' || who.isAuditor);
}

/** Member of a request that {@link seats} admitted. */
export const seatOf = (res: Response): Seat => {
  const who = signedInOf(res);
  if (who?.kind !== 'member') throw new TypeError('The route has no guard for seats.');
  return who;
};

/** Staff member of a request that {@link staffOnly} admitted. */
export const staffOf = (res: Response): StaffSeat => {
  const who = signedInOf(res);
  if (who?.kind !== 'staff') throw new TypeError('The route has no guard for the staff.');
  return who;
};

/** Account of a request that {@link anyAccount} admitted. */
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
