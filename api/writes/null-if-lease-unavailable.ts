import { PracticeLeaseLost } from './practice-lease.ts';
import { PracticeLeaseTimeout } from './with-practice-lease.ts';

/** The caller may retry. A change of several steps may already have done the first ones. */
export const nullIfLeaseUnavailable = async <T>(change: Promise<T>): Promise<T | null> => {
  try {
    return await change;
  } catch (error) {
    if (error instanceof PracticeLeaseTimeout || error instanceof PracticeLeaseLost) return null;
    throw error;
  }
};
