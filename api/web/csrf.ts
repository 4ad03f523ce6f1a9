import { timingSafeEqual } from 'node:crypto';
import { csrfSync } from 'csrf-sync';
import type { Request, RequestHandler } from 'express';
import { formText } from './form-body.ts';
import { EarlierForm, foreignForm, signedOut } from './page-problem.ts';
import { isReading } from './same-origin.ts';
import { isBlankSession } from './session.ts';
import { visitorTokenOf } from './visitor-token.ts';

/** Name of the hidden field that holds the token of a form. */
export const CSRF_FIELD = '_csrf';

/** Forms with files: the reader of their parts checks the token with {@link isCsrfToken}. */
const UPLOADS: ReadonlySet<string> = new Set(['/registry/import']);

/**
 * Forms that take long to fill in, and the sign-in, which several tabs may show at once: with a token
 * of an earlier session they are shown again instead of refused, so that nothing typed is lost.
 * Their routes ask {@link hasCsrfToken} before they act.
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
 * Kept under a name of its own: the tokens of releases whose pages did not say who had opened them count no
 * more. Their script could put the token of the person who signed in last into another person's form.
 */
const { generateToken, getTokenFromState } = csrfSync({
  getTokenFromState: ({ session }) => session.formToken,
  storeTokenInState: ({ session }, token) => {
    session.formToken = token as string;
  },
});

/** The token of the session, made when it is first asked for; of a visitor, of whom nothing is kept. */
export const csrfTokenOf = (req: Request): string =>
  isBlankSession(req) ? visitorTokenOf(req).current() : generateToken(req);

/**
 * Refuses forms without the token of their session (synchronizer token pattern). A request whose
 * session holds nothing belongs to no account: it has no rights that another site could use, and gets the
 * answer of the page's guard. What a browser says to be of a page of ours may be sent once more, by
 * the person and with what they typed, under the token of now; it signs out at once. Signing in gives
 * rights, so its route always asks for the token.
 */
export const csrfProtection: RequestHandler = (req, _res, next) => {
  if (isLeftToItsRoute(req) || isReading(req) || isBlankSession(req) || hasCsrfToken(req)) next();
  else if (!isOfOurPage(req)) throw foreignForm();
  else if (req.session.accountId === undefined) throw signedOut();
  else if (req.path === SIGN_OUT) next();
  else throw holdsSecret(req) ? foreignForm() : new EarlierForm();
};

/** Browsers say that a form is of a page of ours; whether it is, was looked at before. */
const isOfOurPage = (req: Request): boolean =>
  req.get('Sec-Fetch-Site') === 'same-origin' || req.get('Origin') !== undefined;

const SECRETS = ['password', 'old', 'new', 'repeated', 'code', 'passkey', 'clientSecret'];

/** What opens something is not shown again, and not kept in a page either. */
export const holdsSecret = (req: Request): boolean =>
  SECRETS.some((name) => formText(req, name) !== '');

/** Whether a text is the token of the session, for a form that its own route reads. */
export const isCsrfToken = (req: Request, token: string): boolean => {
  const held = getTokenFromState(req);
  if (typeof held !== 'string') return isBlankSession(req) && visitorTokenOf(req).isCurrent(token);
  // The library compares as texts are compared, as long as they agree.
  const [sent, expected] = [Buffer.from(token), Buffer.from(held)];
  return sent.length === expected.length && timingSafeEqual(sent, expected);
};

/** Whether a form comes with the token of its session. */
export const hasCsrfToken = (req: Request): boolean => isCsrfToken(req, formText(req, CSRF_FIELD));

const isLeftToItsRoute = (req: Request): boolean => isUpload(req) || SHOWN_AGAIN.test(req.path);

const isUpload = (req: Request): boolean =>
  UPLOADS.has(req.path) && /^multipart\/form-data\b/i.test(req.get('Content-Type') ?? '');
