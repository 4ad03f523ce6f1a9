import type { Request, Response } from 'express';
import { noteHeldBack } from '../../../access-log/access-notes.ts';
import type { App } from '../../../ports/app-ports.ts';
import { tooManyAttempts } from '../../../web/page-problem.ts';
import { formatWait } from '../../text/format-times.ts';
import { type CountedAttempt, createAttemptCounter } from '../sign-in/sign-in-throttle.ts';

/**
 * Counts as at sign-in, so that a browser left signed in is no place to guess the password.
 * @throws PageProblem 429 after too many
 */
export const createOwnAttemptCounter = (app: App) => {
  const countAttempt = createAttemptCounter(app);
  /** @param unchanged action that failed: "The password was not changed" */
  return async (
    req: Request,
    res: Response,
    accountId: string,
    unchanged: string,
  ): Promise<Pick<CountedAttempt, 'check' | 'succeed'>> => {
    const attempt = await countAttempt(req, accountId);
    for (const by of attempt.justReached) await noteHeldBack(app, res, accountId, by);
    if (attempt.waitMs !== null)
      throw tooManyAttempts(
        `${unchanged}. The password was wrong too many times. Wait ${formatWait(attempt.waitMs)}, then try again.`,
        attempt.waitMs,
      );
    return attempt;
  };
};
