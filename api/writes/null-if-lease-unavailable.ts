import { PracticeLeaseLost } from './practice-lease.ts';
import { PracticeLeaseTimeout } from './with-practice-lease.ts';

/**
 * What a change in a practice's turn comes to; null when the turn was not free in time, or was lost:
 * then the same may be asked again. Of work in several steps, the first ones may be done.
 */
export const nullIfLeaseUnavailable = async <T>(change: Promise<T>): Promise<T | null> => {
  try {
    return await change;
  } catch (error) {
    if (error instanceof PracticeLeaseTimeout || error instanceof PracticeLeaseLost) return null;
    throw error;
  }
};
