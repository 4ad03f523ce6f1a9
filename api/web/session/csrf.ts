import { timingSafeEqual } from 'node:crypto';
import { csrfSync } from 'csrf-sync';
import type { Request, RequestHandler } from 'express';
import { readFormText } from '../form-body.ts';
import { crossSiteForm, StaleFormToken, signedOut } from '../page-problem.ts';
import { isSafeMethod } from '../same-origin.ts';
import { isBlankSession } from './session.ts';
import { getVisitorToken } from './visitor-token.ts';

export const CSRF_FIELD = '_csrf';

/** Multipart forms: the upload reader checks their token with {@link isCsrfToken}. */
const UPLOADS: ReadonlySet<string> = new Set(['/registry/import']);

/**
 * Long forms, and the sign-in, which may be open in several tabs: with an outdated token, their
 * routes show them again rather than refuse them, so that no typed value is lost. These routes must
 * call {@link hasCsrfToken} before they act.
 */
const SHOWN_AGAIN =
  /^\/(?:sign-in|registry\/(?:records\/(?:new|[^/]+\/correct)|capture\/prefill))\/?$/;

const SIGN_OUT = '/sign-out';

declare module 'express-session' {
  interface SessionData {
    formToken: string;
  }
}

/**
 * Our own key in the session invalidates the tokens of old releases, whose pages did not name the
 * person who opened them. Their script could put the token of the latest sign-in into another
 * person's form.
 */
const { generateToken, getTokenFromState } = csrfSync({
  getTokenFromState: ({ session }) => session.formToken,
  storeTokenInState: ({ session }, token) => {
    session.formToken = token as string;
  },
});

/** Token of the session, created on first use. A visitor's token needs no stored session. */
export const getCsrfToken = (req: Request): string =>
  isBlankSession(req) ? getVisitorToken(req).current() : generateToken(req);

/**
 * Refuses forms without their session's token (synchronizer token pattern). A blank session passes:
 * it has no rights that another site could abuse, and the page's guard answers it. If the browser
 * marks the form as same-origin and only its token is outdated, the person may resend it with the
 * typed values; a sign-out passes at once. A sign-in grants rights, so its route always checks the
 * token.
 */
export const csrfProtection: RequestHandler = (req, _res, next) => {
  if (isCheckedByRoute(req) || isSafeMethod(req) || isBlankSession(req) || hasCsrfToken(req))
    next();
  else if (!isFromOwnPage(req)) throw crossSiteForm();
  else if (req.session.accountId === undefined) throw signedOut();
  else if (req.path === SIGN_OUT) next();
  else throw holdsSecret(req) ? crossSiteForm() : new StaleFormToken();
};

/**
 * True if the browser names an origin at all: `requireSameOrigin` has already refused foreign ones.
 */
const isFromOwnPage = (req: Request): boolean =>
  req.get('Sec-Fetch-Site') === 'same-origin' || req.get('Origin') !== undefined;

const SECRETS = ['password', 'old', 'new', 'repeated', 'code', 'passkey', 'clientSecret'];

/** True if the form contains a secret, which must not be written into a page to be resent. */
export const holdsSecret = (req: Request): boolean =>
  SECRETS.some((name) => readFormText(req, name) !== '');

/** True if a text is the session's token. For forms that their own route parses. */
export const isCsrfToken = (req: Request, token: string): boolean => {
  const held = getTokenFromState(req);
  if (typeof held !== 'string') return isBlankSession(req) && getVisitorToken(req).isCurrent(token);
  // Constant time; the library's own comparison is not.
  const [sent, expected] = [Buffer.from(token), Buffer.from(held)];
  return sent.length === expected.length && timingSafeEqual(sent, expected);
};

export const hasCsrfToken = (req: Request): boolean =>
  isCsrfToken(req, readFormText(req, CSRF_FIELD));

const isCheckedByRoute = (req: Request): boolean => isUpload(req) || SHOWN_AGAIN.test(req.path);

const isUpload = (req: Request): boolean =>
  UPLOADS.has(req.path) && /^multipart\/form-data\b/i.test(req.get('Content-Type') ?? '');
