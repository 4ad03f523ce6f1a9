import type { WorkSeat } from '../../../projections/lists/work-items.ts';
import type { Seat } from '../../access/signed-in.ts';
import { createPracticeClock } from '../../practice-time/practice-clock.ts';

export const toWorkSeat = (seat: Seat, now: Date): WorkSeat => {
  const { practiceId, memberId, role, practice } = seat;
  const { neededItems, daysUntilDue, timeZone } = practice;
  const { today } = createPracticeClock(timeZone, now);
  return {
    practiceId,
    memberId,
    today,
    now,
    neededItems,
    daysUntilDue,
    isAdmin: role === 'Admin',
  };
};
