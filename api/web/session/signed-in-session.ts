import type { Request, RequestHandler, Response } from 'express';
import type { FindSignedIn, SignedIn } from '../../access/signed-in.ts';
import { isSafeMethod } from '../same-origin.ts';
import { readCookie } from './cookie-in.ts';
import { MAX_SESSION_MS } from './session.ts';
import { cookieName, cookieOptions } from './session-cookie.ts';

const LOCAL = 'signedIn';
const FIND = 'findSignedIn';
const IDLE = 'idleMinutes';

/** @see `SESSION_IDLE_MINUTES` */
export const USUAL_IDLE_MINUTES = 15;
const MS_IN_MINUTE = 60_000;

export const getIdleMinutes = (res: Response): number => Number(res.locals[IDLE]);

/** `null` for a visitor. */
export const getSignedIn = (res: Response): SignedIn | null =>
  (res.locals[LOCAL] as SignedIn | null | undefined) ?? null;

/**
 * Loads the seat for every request, so changes apply at once. Destroys an expired session, or one
 * whose account has no seat.
 */
export const loadAccount =
  (findSignedIn: FindSignedIn, now: () => Date, idleMinutes = USUAL_IDLE_MINUTES): RequestHandler =>
  async (req, res, next) => {
    await recognize(req, res, findSignedIn, now);
    res.locals[IDLE] = idleMinutes;
    if (getSignedIn(res) !== null) req.session.cookie.maxAge = idleMinutes * MS_IN_MINUTE;
    next();
  };

/** During a slow upload the sender may lose the session or seat; then the form has no session. */
export const reloadAccount =
  (findSignedIn: FindSignedIn, now: () => Date): RequestHandler =>
  async (req, res, next) => {
    if (!isSafeMethod(req) && req.session.accountId !== undefined) {
      if (!(await isSessionStored(req))) await renewSession(req);
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
  res.locals[FIND] = findSignedIn;
};

export const isSessionStored = (req: Request): Promise<boolean> =>
  new Promise((resolve, reject) => {
    req.sessionStore.get(req.sessionID, (error: unknown, data) =>
      error ? reject(error) : resolve(data !== undefined && data !== null),
    );
  });

/** `null` if the sender has signed out, or lost the account, since then. */
export const findSignedInAgain = async ({ req, locals }: Response): Promise<SignedIn | null> => {
  const { accountId } = req.session;
  if (accountId === undefined || !(await isSessionStored(req))) return null;
  return (locals[FIND] as FindSignedIn)(accountId);
};

export const replaceSender = (res: Response, who: SignedIn): void => {
  res.locals[LOCAL] = who;
};

/**
 * Uses a new id, against session fixation.
 * @param generation of the password that the person used
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
};

const SESSION_CHECK_INTERVAL_MS = 400;

/**
 * Closes the connection within a second, in every process. A form is read to its end, and may only
 * be refused then, with the typed values preserved.
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
    // A request that signs in or out replaces its own session, possibly during a check.
    const dependsOnSession = (): boolean =>
      !res.closed &&
      req.sessionID === sessionID &&
      req.session?.accountId === accountId &&
      res.locals[GOES_ON] !== true;
    const check = async (): Promise<void> => {
      if (!req.complete || !dependsOnSession()) return;
      const isIn = (await isSessionStored(req)) && (await findSignedIn(accountId)) !== null;
      if (isIn || !dependsOnSession()) return;
      clearInterval(timer);
      if (res.headersSent || isSafeMethod(req)) req.socket.destroy();
      else allowOnlyRefusal(res, dependsOnSession);
    };
    // A failed check means that a store is unavailable; the next check decides.
    const timer = setInterval(() => void check().catch(() => undefined), SESSION_CHECK_INTERVAL_MS);
    timer.unref();
    res.once('close', () => clearInterval(timer));
    next();
  };

const UNAUTHORIZED = 401;

const allowOnlyRefusal = (res: Response, dependsOnSession: () => boolean): void => {
  const begin = res.writeHead.bind(res) as (...parts: readonly unknown[]) => typeof res;
  res.writeHead = (...parts: readonly unknown[]) => {
    if (res.statusCode !== UNAUTHORIZED && dependsOnSession()) res.req.socket.destroy();
    return begin(...parts);
  };
};

const GOES_ON = 'goesOnWithoutSession';

export const continueWithoutSession = (res: Response): void => {
  res.locals[GOES_ON] = true;
};

export const moveVisitorSession = (req: Request): void => {
  const { cookie: _ofTheOldId, ...data } = { ...req.session };
  req.sessionStore.generate(req);
  Object.assign(req.session, data);
};

/** Clears the browser's cookie and cache, too. */
export const endSession = (req: Request, res: Response): Promise<void> =>
  new Promise((resolve, reject) => {
    const secure = req.session.cookie.secure === true;
    const name = cookieName(secure);
    if (readCookie(req.headers.cookie ?? '', name) !== null) {
      res.clearCookie(name, cookieOptions(secure));
      res.setHeader('Clear-Site-Data', '"cache"');
    }
    req.session.destroy((error: unknown) => (error ? reject(error) : resolve()));
  });

export const renewSession = (req: Request): Promise<void> =>
  new Promise((resolve, reject) => {
    req.session.regenerate((error: unknown) => (error ? reject(error) : resolve()));
  });
