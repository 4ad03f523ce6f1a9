import { randomBytes } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { readCookie } from './cookie-in.ts';
import {
  createFormToken,
  type TokenCheck,
  type TokenOwner,
  verifyFormToken,
} from './form-token.ts';
import { cookieOptions } from './session-cookie.ts';

interface FormTokenOptions {
  readonly name: string;
  readonly isSecure: boolean;
  readonly secret: string;
  readonly now: () => Date;
}

interface FormTokens {
  create(owner: TokenOwner): string;
  check(token: string, sender: TokenOwner | null): TokenCheck;
  /** Id in a visitor's cookie; `null` if there is none, or if the cookie has a session id. */
  readonly cookieId: string | null;
  /** Sets the cookie if it is missing. */
  ensureCookieId(): string;
}

const TOKENS = new WeakMap<Request, FormTokens>();
const ID_BYTES = 32;

export const createVisitorId = (): string => randomBytes(ID_BYTES).toString('base64url');

/** Distinguishes the id from a session id in the same cookie. */
const VISITOR_PREFIX = 'v:';

/** A visitor's token needs no stored session. */
export const attachFormTokens =
  ({ name, isSecure, secret, now }: FormTokenOptions): RequestHandler =>
  (req, res, next) => {
    const cookieId = parseId(req.headers.cookie ?? '', name);
    let id = cookieId;
    TOKENS.set(req, {
      create: (owner) => createFormToken(secret, owner, now()),
      check: (token, sender) => verifyFormToken(secret, token, sender, now()),
      cookieId,
      ensureCookieId() {
        if (id === null) {
          id = createVisitorId();
          res.cookie(name, `${VISITOR_PREFIX}${id}`, cookieOptions(isSecure));
        }
        return id;
      },
    });
    next();
  };

const parseId = (cookies: string, name: string): string | null => {
  const [, id] = /^v(?::|%3A)([\w-]{43})$/.exec(readCookie(cookies, name) ?? '') ?? [];
  return id ?? null;
};

/** Requires {@link attachFormTokens} before it. */
export const getFormTokens = (req: Request): FormTokens => {
  const tokens = TOKENS.get(req);
  if (tokens === undefined)
    throw new TypeError('attachFormTokens must run before this request is handled.');
  return tokens;
};
