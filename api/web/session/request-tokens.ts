import { randomBytes } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { readCookie } from './cookie-in.ts';
import {
  createFormToken,
  type FormOwner,
  identifyFormOwner,
  type TokenOwner,
} from './form-token.ts';
import { cookieOptions } from './session-cookie.ts';

interface FormTokenOptions {
  readonly name: string;
  readonly isSecure: boolean;
  readonly secret: string;
  readonly now: () => Date;
}

interface RequestTokens {
  create(owner: TokenOwner): string;
  identify(token: string, sender: TokenOwner | null): FormOwner;
  /** `null` unless the cookie is of a visitor without a stored session. */
  readonly cookieId: string | null;
  /** Sets the id if missing. */
  ensureCookieId(): string;
}

const TOKENS = new WeakMap<Request, RequestTokens>();
const ID_BYTES = 32;

export const createVisitorId = (): string => randomBytes(ID_BYTES).toString('base64url');

/** Distinguishes the id from a session id in the same cookie. */
const MARK = 'v:';

/** A visitor's token needs no stored session. */
export const createFormTokens =
  ({ name, isSecure, secret, now }: FormTokenOptions): RequestHandler =>
  (req, res, next) => {
    const cookieId = parseId(req.headers.cookie ?? '', name);
    let id = cookieId;
    TOKENS.set(req, {
      create: (owner) => createFormToken(secret, owner, now()),
      identify: (token, sender) => identifyFormOwner(secret, token, sender, now()),
      cookieId,
      ensureCookieId() {
        if (id === null) {
          id = createVisitorId();
          res.cookie(name, `${MARK}${id}`, cookieOptions(isSecure));
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

/** Requires {@link createFormTokens} before it. */
export const getTokens = (req: Request): RequestTokens => {
  const tokens = TOKENS.get(req);
  if (tokens === undefined) throw new TypeError('The request came by no session.');
  return tokens;
};
