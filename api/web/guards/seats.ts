import type { RequestHandler, Response } from 'express';
import type { Role } from '../../../domain/roles.ts';
import type { Seat, SignedIn, StaffSeat } from '../../access/signed-in.ts';
import { buildSignInPath } from '../next-page.ts';
import { pageForbidden, rightsChanged, signedOut } from '../page-problem.ts';
import { isSafeMethod } from '../same-origin.ts';
import { findSignedInAgain, getSignedIn, replaceSender } from '../session/signed-in-session.ts';

export type Guard = RequestHandler & { readonly mayEnter: MayEnter };

type MayEnter = (who: SignedIn) => boolean;

/** Others get 403, visitors the sign-in. */
export const requireRole = (...roles: readonly Role[]): Guard =>
  guard((who) => who.kind === 'member' && roles.includes(who.role));

export const requireAdmin = requireRole('Admin');
export const requireAdminOrProvider = requireRole('Admin', 'Provider');
/** May read records, which a Scribe may not. */
export const requireReader = requireRole('Admin', 'Provider', 'Viewer');
/** May enter births. */
export const requireWriter = requireRole('Admin', 'Provider', 'Scribe');

/** Others get 403, visitors the sign-in. */
export const requireAuditor: Guard = guard(canAudit);

/** Others get 403, visitors the sign-in. */
export const requireRoleOrStaff = (...roles: readonly Role[]): Guard =>
  guard((who) => who.kind === 'staff' || roles.includes(who.role));

/** Members get 403, visitors the sign-in. */
export const requireStaff: Guard = guard((who) => who.kind === 'staff', true);

/** Visitors get the sign-in. */
export const requireAccount: Guard = guard(() => true);

export function canAudit(who: SignedIn): boolean {
  return who.kind === 'member' && (who.role === 'Admin' || who.isAuditor);
}

/** Requires {@link requireRole} on the route. */
export const getSeat = (res: Response): Seat => {
  const who = getSignedIn(res);
  if (who?.kind !== 'member') throw new TypeError('The route has no guard for roles.');
  return who;
};

/** Requires {@link requireStaff} on the route. */
export const getStaff = (res: Response): StaffSeat => {
  const who = getSignedIn(res);
  if (who?.kind !== 'staff') throw new TypeError('The route has no guard for the staff.');
  return who;
};

/** Requires {@link requireAccount} on the route. */
export const getAccount = (res: Response): SignedIn => {
  const who = getSignedIn(res);
  if (who === null) throw new TypeError('The route has no guard for accounts.');
  return who;
};

/**
 * Called right before a write that may have waited: the sender may have lost the seat since the
 * request.
 * @throws PageProblem 401, or 403 if the guards of the route no longer admit the sender
 */
export const requireSeatAgain = async (res: Response): Promise<void> => {
  await findSenderAgain(res);
};

/** @throws PageProblem as {@link requireSeatAgain} */
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
