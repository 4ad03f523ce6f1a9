import { accept, type Decision, refuse } from '../decision.ts';
import type { PracticeEvent } from '../practice/events.ts';
import type { StaffEvent } from './staff-events.ts';

/** Accounts without a sign-in for this long may no longer be needed. */
const DORMANT_DAYS = 90;

const MS_IN_DAY = 86_400_000;

export const isDormant = (
  { lastSignInAt, since }: { readonly lastSignInAt: Date | null; readonly since: Date },
  now: Date,
): boolean => now.getTime() - (lastSignInAt ?? since).getTime() >= DORMANT_DAYS * MS_IN_DAY;

export type ReviewedSeat = PracticeEvent<'AccessReviewed'>['data']['seats'][number];

/** Refused if the seats have changed since the Admin viewed them. */
export const reviewAccess = (
  practiceId: string,
  at: Date,
  displayedSeats: readonly ReviewedSeat[],
  currentSeats: readonly ReviewedSeat[],
): Decision<PracticeEvent<'AccessReviewed'>> =>
  isSame(displayedSeats.map(formatSeat), currentSeats.map(formatSeat))
    ? accept({
        type: 'AccessReviewed',
        data: { practiceId, at: at.toISOString(), seats: currentSeats },
      })
    : refuse({ code: 'review-outdated' });

export const reviewStaffAccess = (
  staffId: string,
  at: Date,
  displayedIds: readonly string[],
  currentIds: readonly string[],
): Decision<StaffEvent<'StaffAccessReviewed'>> =>
  isSame(displayedIds, currentIds)
    ? accept({
        type: 'StaffAccessReviewed',
        data: { staffId, at: at.toISOString(), people: currentIds },
      })
    : refuse({ code: 'review-outdated' });

const formatSeat = ({ memberId, role }: ReviewedSeat): string => `${memberId} ${role}`;

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  JSON.stringify([...some].sort()) === JSON.stringify([...others].sort());
