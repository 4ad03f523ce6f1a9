import type { Request, RequestHandler, Response } from 'express';
import { readFormText } from '../form-body.ts';
import {
  crossSiteForm,
  formExpired,
  formOfAnotherUser,
  type PageProblem,
  signedOut,
} from '../page-problem.ts';
import { isSafeMethod } from '../same-origin.ts';
import type { TokenCheck, TokenOwner } from './form-token.ts';
import { createVisitorId, getFormTokens } from './request-tokens.ts';
import { isBlankSession } from './session.ts';
import { getSignedIn } from './signed-in-session.ts';

export const CSRF_FIELD = '_csrf';

const CSRF_HEADER = 'X-CSRF-Token';

/** The upload reader checks the token of these multipart forms. */
const UPLOADS: ReadonlySet<string> = new Set(['/registry/import']);

/**
 * Without the sender's own token, these routes show the form again rather than refuse it, so that
 * no typed value is lost. They must call {@link hasCsrfToken} before they act.
 */
const REDISPLAY_PATHS =
  /^\/(?:sign-in|registry\/(?:records\/(?:new|[^/]+\/correct)|capture\/prefill))\/?$/;

const SIGN_OUT = '/sign-out';

declare module 'express-session' {
  interface SessionData {
    /** Survives a new session id. */
    visitorId: string;
  }
}

const findSender = (req: Request, res: Response): TokenOwner | null => {
  const who = getSignedIn(res);
  if (who !== null) return { kind: 'account', id: who.seatId };
  const id = isBlankSession(req) ? getFormTokens(req).cookieId : req.session.visitorId;
  return id === null || id === undefined ? null : { kind: 'visitor', id };
};

export const getCsrfToken = (req: Request, res: Response): string => {
  const tokens = getFormTokens(req);
  return tokens.create(findSender(req, res) ?? { kind: 'visitor', id: ensureVisitorId(req) });
};

const ensureVisitorId = (req: Request): string => {
  if (isBlankSession(req)) return getFormTokens(req).ensureCookieId();
  req.session.visitorId ??= createVisitorId();
  return req.session.visitorId;
};

/** For forms that their own route parses. */
export const checkToken = (req: Request, res: Response, token: string): TokenCheck =>
  getFormTokens(req).check(token, findSender(req, res));

export const checkFormToken = (req: Request, res: Response): TokenCheck =>
  checkToken(req, res, req.get(CSRF_HEADER) ?? readFormText(req, CSRF_FIELD));

export const hasCsrfToken = (req: Request, res: Response): boolean =>
  checkFormToken(req, res) === 'sender';

/**
 * A blank session passes: it has no rights that another site could abuse, and the page's guard
 * answers it. A sign-out from our own page passes. A sign-in grants rights, so its route always
 * checks the token.
 */
export const csrfProtection: RequestHandler = (req, res, next) => {
  if (isSafeMethod(req) || isUploadPath(req) || isBlankSession(req)) {
    next();
    return;
  }
  const check = checkFormToken(req, res);
  const mayRedisplay =
    REDISPLAY_PATHS.test(req.path) && (check !== 'unknown' || isFromOwnPage(req));
  if (check === 'sender' || mayRedisplay || (req.path === SIGN_OUT && isFromOwnPage(req))) next();
  else throw getSignedIn(res) === null && isFromOwnPage(req) ? signedOut() : refuseForm(check);
};

export const refuseForm = (check: Exclude<TokenCheck, 'sender'>): PageProblem => {
  switch (check) {
    case 'another':
      return formOfAnotherUser();
    case 'visitor':
    case 'expired':
      return formExpired();
    case 'unknown':
      return crossSiteForm();
  }
};

/** `requireSameOrigin` has already refused foreign origins. */
const isFromOwnPage = (req: Request): boolean =>
  req.get('Sec-Fetch-Site') === 'same-origin' || req.get('Origin') !== undefined;

const isUploadPath = (req: Request): boolean =>
  UPLOADS.has(req.path) && Boolean(req.is('multipart/form-data'));
