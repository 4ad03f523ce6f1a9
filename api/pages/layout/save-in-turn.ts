import type { Response } from 'express';
import { reloadSeat } from '../../web/guards/seats.ts';
import { getSignedIn } from '../../web/session/signed-in-session.ts';

const running = new Map<string, Promise<unknown>>();

/**
 * Compares and saves, one after the other in this process for each practice, so that the second of two
 * who save at once sees what the first has saved.
 * @param what is saved, within the practice
 */
export const saveInTurn = async <T>(
  res: Response,
  what: string,
  work: () => Promise<T>,
): Promise<T> => {
  const who = getSignedIn(res);
  const key = `${who?.kind === 'member' ? who.practiceId : ''} ${what}`;
  const before = running.get(key);
  const turn =
    before === undefined
      ? work()
      : before
          .catch(() => undefined)
          .then(() => reloadSeat(res))
          .then(work);
  running.set(key, turn);
  try {
    return await turn;
  } finally {
    if (running.get(key) === turn) running.delete(key);
  }
};
