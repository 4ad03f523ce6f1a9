import type { Request, Response } from 'express';
import { noteHeldBack } from '../../../access-log/access-notes.ts';
import type { App } from '../../../ports/app-ports.ts';
import { tooManyAttempts } from '../../../web/page-problem.ts';
import {
  type CountedAttempt,
  createAttemptCounter,
  formatWait,
} from '../sign-in/sign-in-throttle.ts';

/**
 * Counts a try at one's own password like one at sign-in, so that a browser left signed in is no
 * place to guess it.
 * @throws PageProblem 429 after too many
 */
export const createOwnAttemptCounter = (registry: App) => {
  const countTry = createAttemptCounter(registry);
  /** @param unchanged action that failed: "The password was not changed" */
  return async (
    req: Request,
    res: Response,
    accountId: string,
    unchanged: string,
  ): Promise<Pick<CountedAttempt, 'succeed'>> => {
    const counted = await countTry(req, accountId);
    for (const by of counted.justReached) await noteHeldBack(registry, res, accountId, by);
    if (counted.waitMs !== null)
      throw tooManyAttempts(
        `${unchanged}: the password has been tried too often. Wait ${formatWait(counted.waitMs)}, then try again.`,
        counted.waitMs,
      );
    return counted;
  };
};
