import type { RequestHandler, Response } from 'express';
import type { Role } from '../../../domain/roles.ts';
import type { Seat, SignedIn, StaffSeat } from '../../access/signed-in.ts';
import { buildSignInPath } from '../next-page.ts';
import { pageForbidden, rightsChanged, signedOut } from '../page-problem.ts';
import { isSafeMethod } from '../same-origin.ts';
import { findSignedInAgain, getSignedIn, replaceSender } from '../session/signed-in-session.ts';

/** Handler at a route that admits some people, and refuses everybody else. */
export type Guard = RequestHandler & { readonly mayEnter: MayEnter };

type MayEnter = (who: SignedIn) => boolean;

/** Admits members with one of these seats; others get 403, visitors the sign-in. */
export const requireRole = (...roles: readonly Role[]): Guard =>
  guard((who) => who.kind === 'member' && roles.includes(who.role));

/** Admits accounts that may read their practice's logs; others get 403, visitors the sign-in. */
export const requireAuditor: Guard = guard(canAudit);

/**
 * Admits service staff and members with one of these seats; others get 403, visitors the sign-in.
 */
export const requireRoleOrStaff = (...roles: readonly Role[]): Guard =>
  guard((who) => who.kind === 'staff' || roles.includes(who.role));

/** Admits service staff; members get 403, visitors the sign-in. */
export const requireStaff: Guard = guard((who) => who.kind === 'staff', true);

/** Admits any signed-in person; visitors get the sign-in. */
export const requireAccount: Guard = guard(() => true);

/** True if an account may read its practice's access log and audit trail. */
export function canAudit(who: SignedIn): boolean {
  return who.kind === 'member' && (who.role === 'Admin' || who.isAuditor);
}

/** Member of a request that {@link requireRole} admitted. */
export const getSeat = (res: Response): Seat => {
  const who = getSignedIn(res);
  if (who?.kind !== 'member') throw new TypeError('The route has no guard for roles.');
  return who;
};

/** Staff member of a request that {@link requireStaff} admitted. */
export const getStaff = (res: Response): StaffSeat => {
  const who = getSignedIn(res);
  if (who?.kind !== 'staff') throw new TypeError('The route has no guard for the staff.');
  return who;
};

/** Account of a request that {@link requireAccount} admitted. */
export const getAccount = (res: Response): SignedIn => {
  const who = getSignedIn(res);
  if (who === null) throw new TypeError('The route has no guard for accounts.');
  return who;
};

/**
 * Called right before a write that may have waited: the sender may have signed out, or lost the seat
 * or the role, since the request.
 * @throws PageProblem 401, or 403 if the guards of the route no longer admit the sender
 */
export const requireSeatAgain = async (res: Response): Promise<void> => {
  await findSenderAgain(res);
};

/** Loads the sender again for a request that has waited. @throws PageProblem as {@link requireSeatAgain} */
export const reloadSeat = async (res: Response): Promise<void> =>
  replaceSender(res, await findSenderAgain(res));

const findSenderAgain = async (res: Response): Promise<SignedIn> => {
  const [before, who] = [getSignedIn(res), await findSignedInAgain(res)];
  if (before === null || who === null) throw signedOut();
  const admitted = listGuards(res);
  const mayStillEnter =
    admitted.length === 0 ? isSameRole(who, before) : admitted.every((mayEnter) => mayEnter(who));
  if (!mayStillEnter || !isSamePractice(who, before)) throw rightsChanged();
  return who;
};

const isSamePractice = (one: SignedIn, other: SignedIn): boolean =>
  one.kind === 'member' && other.kind === 'member'
    ? one.practiceId === other.practiceId
    : one.kind === other.kind;

const isSameRole = (one: SignedIn, other: SignedIn): boolean =>
  one.kind !== 'member' || (other.kind === 'member' && one.role === other.role);

const GUARDS = 'seatGuards';

/** Guards that have admitted the sender of a request. */
const listGuards = (res: Response): readonly MayEnter[] =>
  (res.locals[GUARDS] as readonly MayEnter[] | undefined) ?? [];

function guard(mayEnter: MayEnter, isForStaff = false): Guard {
  const handle: RequestHandler = (req, res, next) => {
    const who = getSignedIn(res);
    if (who === null) {
      if (!isSafeMethod(req)) throw signedOut();
      res.redirect(303, buildSignInPath(req.originalUrl));
      return;
    }
    if (!mayEnter(who)) throw pageForbidden(who, isForStaff);
    res.locals[GUARDS] = [...listGuards(res), mayEnter];
    next();
  };
  return Object.assign(handle, { mayEnter });
}
