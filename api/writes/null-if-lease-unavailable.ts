import { TurnLost } from './practice-lease.ts';
import { TurnBusy } from './with-practice-lease.ts';

/**
 * What a change in a practice's turn comes to; null when the turn was not free in time, or was lost:
 * then the same may be asked again. Of work in several steps, the first ones may be done.
 */
export const unlessBusy = async <T>(change: Promise<T>): Promise<T | null> => {
  try {
    return await change;
  } catch (error) {
    if (error instanceof TurnBusy || error instanceof TurnLost) return null;
    throw error;
  }
};
