import type { Request, RequestHandler, Response } from 'express';
import type { FindSignedIn, SignedIn } from '../access/signed-in.ts';
import { LONGEST_SESSION_MS } from './session.ts';

const LOCAL = 'signedIn';

/** Who sent the request; null for a visitor who has not signed in. */
export const signedInOf = (res: Response): SignedIn | null =>
  (res.locals[LOCAL] as SignedIn | null | undefined) ?? null;

/**
 * Finds out who sent a request: the seat is read anew each time, so a changed one is in force at
 * once. A session that is over, or whose account has no seat any more, is destroyed.
 */
export const recogniseAccount =
  (findSignedIn: FindSignedIn, now: () => Date): RequestHandler =>
  async (req, res, next) => {
    const { accountId, startedAt = 0 } = req.session;
    if (accountId !== undefined) {
      const isOver = now().getTime() - startedAt >= LONGEST_SESSION_MS;
      const signedIn = isOver ? null : await findSignedIn(accountId);
      if (signedIn === null) await renewSession(req);
      res.locals[LOCAL] = signedIn;
    }
    next();
  };

/** Begins the session of an account under a new id, so that nobody can have planted it. */
export const beginSession = async (req: Request, accountId: string, now: Date): Promise<void> => {
  const { accountId: earlier, ehrBrowser, seesPrefills = false } = req.session;
  await renewSession(req);
  // spec "Pull lane": a pre-fill survives the sign-in, but not a change of accounts.
  if (ehrBrowser !== undefined && (earlier === undefined || earlier === accountId))
    Object.assign(req.session, { ehrBrowser, seesPrefills });
  req.session.accountId = accountId;
  req.session.startedAt = now.getTime();
};

/** Begins a session under a new id with everything that is in a visitor's, which stays as it is. */
export const moveVisitorSession = (req: Request): void => {
  const { cookie: _ofTheOldId, ...data } = { ...req.session };
  req.sessionStore.generate(req);
  Object.assign(req.session, data);
};

/** Destroys the session of a request, and everything in it. */
export const endSession = (req: Request): Promise<void> =>
  new Promise((resolve, reject) => {
    req.session.destroy((error: unknown) => (error ? reject(error) : resolve()));
  });

const renewSession = (req: Request): Promise<void> =>
  new Promise((resolve, reject) => {
    req.session.regenerate((error: unknown) => (error ? reject(error) : resolve()));
  });
