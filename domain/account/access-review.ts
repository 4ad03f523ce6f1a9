import { accept, type Decision, refuse } from '../decision.ts';
import type { AccessReviewed } from '../practice/events.ts';
import type { StaffAccessReviewed } from './staff-events.ts';

/** Somebody who has not signed in for this long may no longer need the account. */
const DORMANT_DAYS = 90;

const MS_IN_DAY = 86_400_000;

/** Whether an account has not been used for 90 days. @param since when it was given, or given again */
export const isDormant = (
  { lastSignInAt, since }: { readonly lastSignInAt: Date | null; readonly since: Date },
  now: Date,
): boolean => now.getTime() - (lastSignInAt ?? since).getTime() >= DORMANT_DAYS * MS_IN_DAY;

/** A seat as a review names it. */
export type ReviewedSeat = AccessReviewed['data']['seats'][number];

/**
 * Records that an Admin reviewed every seat of a practice, and that each is still needed.
 * Refused when the seats are not those that the Admin was shown.
 * @param seen the seats that were shown
 * @param held the seats there are
 */
export const reviewAccess = (
  practiceId: string,
  at: Date,
  seen: readonly ReviewedSeat[],
  held: readonly ReviewedSeat[],
): Decision<AccessReviewed> =>
  isSame(seen.map(textOf), held.map(textOf))
    ? accept({ type: 'AccessReviewed', data: { practiceId, at: at.toISOString(), seats: held } })
    : refuse({ code: 'review-outdated' });

/**
 * The same of the service staff.
 * @param staffId the reviewer
 * @param seen ids of the people who were shown
 * @param held ids of the people there are
 */
export const reviewStaffAccess = (
  staffId: string,
  at: Date,
  seen: readonly string[],
  held: readonly string[],
): Decision<StaffAccessReviewed> =>
  isSame(seen, held)
    ? accept({
        type: 'StaffAccessReviewed',
        data: { staffId, at: at.toISOString(), people: held },
      })
    : refuse({ code: 'review-outdated' });

const textOf = ({ memberId, role }: ReviewedSeat): string => `${memberId} ${role}`;

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  JSON.stringify([...some].sort()) === JSON.stringify([...others].sort());
