import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { readCookie } from './cookie-in.ts';
import { cookieOptions } from './session-cookie.ts';

/** CSRF token of a visitor without a session. */
interface VisitorToken {
  /** Shared by all tabs of a browser. */
  current(): string;
  isCurrent(text: string): boolean;
}

const TOKENS = new WeakMap<Request, VisitorToken>();
const ID_BYTES = 32;

/** Distinguishes the id from a session id in the same cookie. */
const MARK = 'v:';

export interface VisitorCookie {
  readonly name: string;
  readonly isSecure: boolean;
  /** Signs the tokens. */
  readonly secret: string;
}

/**
 * Gives a visitor's forms a token without storing anything (signed double submit): the session's
 * cookie contains a random id, and the token is its keyed hash. A session replaces both with its
 * own.
 * @see
 * https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html
 */
export const createVisitorTokens = ({ name, isSecure, secret }: VisitorCookie): RequestHandler => {
  const tokenOf = (id: string): string =>
    createHmac('sha256', secret).update(`visitor ${id}`).digest('base64url');
  return (req, res, next) => {
    const shown = parseId(req.headers.cookie ?? '', name);
    let id = shown;
    TOKENS.set(req, {
      current() {
        if (id === null) {
          id = randomBytes(ID_BYTES).toString('base64url');
          res.cookie(name, `${MARK}${id}`, cookieOptions(isSecure));
        }
        return tokenOf(id);
      },
      isCurrent(text) {
        if (shown === null) return false;
        const [sent, expected] = [Buffer.from(text), Buffer.from(tokenOf(shown))];
        return sent.length === expected.length && timingSafeEqual(sent, expected);
      },
    });
    next();
  };
};

const parseId = (cookies: string, name: string): string | null => {
  const [, id] = /^v(?::|%3A)([\w-]{43})$/.exec(readCookie(cookies, name) ?? '') ?? [];
  return id ?? null;
};

/** Token of a visitor's forms. */
export const getVisitorToken = (req: Request): VisitorToken => {
  const token = TOKENS.get(req);
  if (token === undefined) throw new TypeError('The request came by no session.');
  return token;
};
