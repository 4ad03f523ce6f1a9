import type { Request, RequestHandler, Response } from 'express';
import type { FindSignedIn, SignedIn } from '../access/signed-in.ts';
import { cookieIn } from './cookie-in.ts';
import { csrfTokenOf } from './csrf.ts';
import { isReading } from './same-origin.ts';
import { MAX_SESSION_MS } from './session.ts';
import { cookieName, cookieOptions } from './session-cookie.ts';

const LOCAL = 'signedIn';
const IDLE = 'idleMinutes';

/** A session of an account that nothing was asked of for so long is over. @see `SESSION_IDLE_MINUTES` */
export const USUAL_IDLE_MINUTES = 15;
const MS_IN_MINUTE = 60_000;

/** How long the session of a signed-in person lasts without a request. */
export const idleMinutesOf = (res: Response): number => Number(res.locals[IDLE]);

/** Who sent the request; null for a visitor who has not signed in. */
export const signedInOf = (res: Response): SignedIn | null =>
  (res.locals[LOCAL] as SignedIn | null | undefined) ?? null;

/**
 * Finds out who sent a request: the seat is read anew each time, so a changed one is in force at
 * once. A session that is over, or whose account has no seat any more, is destroyed.
 * @param idleMinutes after which a session ends that nothing is asked of
 */
export const recognizeAccount =
  (findSignedIn: FindSignedIn, now: () => Date, idleMinutes = USUAL_IDLE_MINUTES): RequestHandler =>
  async (req, res, next) => {
    await recognize(req, res, findSignedIn, now);
    res.locals[IDLE] = idleMinutes;
    if (signedInOf(res) !== null) req.session.cookie.maxAge = idleMinutes * MS_IN_MINUTE;
    next();
  };

/**
 * Finds it out again once a form has been read to its end. A slow sender may have lost
 * the session, or the seat, in between: then the form comes without a session.
 */
export const recognizeSender =
  (findSignedIn: FindSignedIn, now: () => Date): RequestHandler =>
  async (req, res, next) => {
    if (!isReading(req) && req.session.accountId !== undefined) {
      if (!(await isSessionKept(req))) await renewSession(req);
      await recognize(req, res, findSignedIn, now);
    }
    next();
  };

const recognize = async (
  req: Request,
  res: Response,
  findSignedIn: FindSignedIn,
  now: () => Date,
): Promise<void> => {
  const { accountId, startedAt = 0 } = req.session;
  const isOver = now().getTime() - startedAt >= MAX_SESSION_MS;
  const signedIn = accountId === undefined || isOver ? null : await findSignedIn(accountId);
  if (accountId !== undefined && signedIn === null) await renewSession(req);
  res.locals[LOCAL] = signedIn;
};

/** Whether the session of a request has not been ended while the request was read. */
export const isSessionKept = (req: Request): Promise<boolean> =>
  new Promise((resolve, reject) => {
    req.sessionStore.get(req.sessionID, (error: unknown, data) =>
      error ? reject(error) : resolve(data !== undefined && data !== null),
    );
  });

/**
 * Begins the session of an account under a new id, so that it cannot have been planted.
 * @param generation of the password that the person has shown
 */
export const beginSession = async (
  req: Request,
  accountId: string,
  generation: string,
  now: Date,
): Promise<void> => {
  const { accountId: earlier, ehrBrowser, seesPrefills = false } = req.session;
  await renewSession(req);
  // spec "Pull lane": a pre-fill survives the sign-in, but not a change of accounts.
  if (ehrBrowser !== undefined && (earlier === undefined || earlier === accountId))
    Object.assign(req.session, { ehrBrowser, seesPrefills });
  req.session.accountId = accountId;
  req.session.generation = generation;
  req.session.startedAt = now.getTime();
  // Made by the first page, it would be made by each of those that several tabs ask for at once,
  // and the forms of all but one of them would be refused.
  csrfTokenOf(req);
};

/** Interval between checks that a client may still receive an answer that takes long. */
const SESSION_CHECK_INTERVAL_MS = 400;

/**
 * Closes the connection of a client that loses its session or seat while its answer is made: within
 * a second, in every process. A form that is still being read is refused after it has arrived, with
 * what was typed.
 */
export const endWithSession =
  (findSignedIn: FindSignedIn): RequestHandler =>
  (req, res, next) => {
    const { sessionID } = req;
    const { accountId } = req.session;
    if (accountId === undefined) {
      next();
      return;
    }
    // A request that signs in or out replaces its session itself, possibly during a check.
    const dependsOnSession = (): boolean =>
      !res.closed &&
      req.sessionID === sessionID &&
      req.session?.accountId === accountId &&
      res.locals[GOES_ON] !== true;
    const check = async (): Promise<void> => {
      if (!req.complete || !dependsOnSession()) return;
      const isIn = (await isSessionKept(req)) && (await findSignedIn(accountId)) !== null;
      if (!isIn && dependsOnSession()) req.socket.destroy();
    };
    // A check that fails because a store is unavailable decides nothing: the next one will.
    const timer = setInterval(() => void check().catch(() => undefined), SESSION_CHECK_INTERVAL_MS);
    timer.unref();
    res.once('close', () => clearInterval(timer));
    next();
  };

const GOES_ON = 'goesOnWithoutSession';

/** The request itself ends the session that it came with, and is answered nevertheless. */
export const goOnWithoutSession = (res: Response): void => {
  res.locals[GOES_ON] = true;
};

/** Begins a session under a new id with everything that is in a visitor's, which stays as it is. */
export const moveVisitorSession = (req: Request): void => {
  const { cookie: _ofTheOldId, ...data } = { ...req.session };
  req.sessionStore.generate(req);
  Object.assign(req.session, data);
};

/** Destroys the session of a request, everything in it, and what its browser keeps of it. */
export const endSession = (req: Request, res: Response): Promise<void> =>
  new Promise((resolve, reject) => {
    const secure = req.session.cookie.secure === true;
    const name = cookieName(secure);
    if (cookieIn(req.headers.cookie ?? '', name) !== null) {
      res.clearCookie(name, cookieOptions(secure));
      res.setHeader('Clear-Site-Data', '"cache"');
    }
    req.session.destroy((error: unknown) => (error ? reject(error) : resolve()));
  });

/** Begins an empty session under a new id. */
export const renewSession = (req: Request): Promise<void> =>
  new Promise((resolve, reject) => {
    req.session.regenerate((error: unknown) => (error ? reject(error) : resolve()));
  });
