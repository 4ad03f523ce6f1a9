import type { Request, RequestHandler } from 'express';
import session from 'express-session';
import { createFormTokens } from './request-tokens.ts';
import { cookieName, cookieOptions } from './session-cookie.ts';

declare module 'express-session' {
  interface SessionData {
    /** Missing before sign-in. */
    accountId: string;
    /** Generation of the password at sign-in: changing the password ends the session. */
    generation: string;
    /**
     * Latest use of a second factor, in milliseconds since 1970; missing if the account has none.
     */
    factorAt: number;
    /** Time of sign-in, in milliseconds since 1970. */
    startedAt: number;
    /**
     * Latest time the person re-entered the password or signed in at their provider, in
     * milliseconds since 1970; missing if the provider did not say when.
     */
    confirmedAt: number;
    /**
     * Identity provider session that it began with and ends with; missing after a sign-in by
     * password.
     */
    provider: ProviderSession;
  }
}

/** Session at an identity provider. The SQL that reads sessions depends on these names. */
export interface ProviderSession {
  readonly issuer: string;
  readonly subject: string;
  /** `null` if the provider does not distinguish a person's sessions. */
  readonly sid: string | null;
  /** Time of the provider's assertion, in milliseconds since 1970. */
  readonly issuedAt: number;
}

export interface SessionOptions {
  readonly store: session.Store;
  /** Signs the cookie and the tokens of forms. */
  readonly secret: string;
  /** True if the public address is https: the cookie is then sent over https only. */
  readonly isSecure: boolean;
  readonly now: () => Date;
}

/** Idle limit of a visitor's session, such as a pre-fill before sign-in. */
const VISITOR_IDLE_MS = 30 * 60_000;
/** A session ends this long after sign-in, even if active. */
export const MAX_SESSION_MS = 12 * 60 * 60_000;

/** Loads the session of a request; stores none for a visitor until it has content. */
export const createSessions = ({
  store,
  secret,
  isSecure,
  now,
}: SessionOptions): RequestHandler[] => {
  const ofPublicAddress: RequestHandler = (req, _res, next) => {
    // The public address decides: a TLS proxy may not set this header, and over apparent plain HTTP
    // the library sends no `Secure` cookie.
    if (isSecure) req.headers['x-forwarded-proto'] = 'https';
    next();
  };
  const name = cookieName(isSecure);
  return [
    ofPublicAddress,
    createFormTokens({ name, isSecure, secret, now }),
    session({
      store,
      secret,
      name,
      resave: false,
      saveUninitialized: false,
      rolling: true,
      proxy: isSecure,
      cookie: { ...cookieOptions(isSecure), maxAge: VISITOR_IDLE_MS },
    }),
    saveBeforeRedirect,
  ];
};

/** True if a session has no content worth storing. */
export const isBlankSession = (req: Request): boolean =>
  Object.keys(req.session).every((key) => key === 'cookie');

/**
 * Saves the session before a redirect is sent. The library saves it before an answer's last byte,
 * but browsers follow a redirect at its first: the next page would load the old session.
 */
const saveBeforeRedirect: RequestHandler = (req, res, next) => {
  const redirect = res.redirect.bind(res);
  res.redirect = (...to: [string] | [number, string] | [string, number]) => {
    const go = () => (redirect as (...to: unknown[]) => void)(...to);
    if (req.session === undefined || isBlankSession(req)) {
      go();
      return;
    }
    req.session.save((error: unknown) => {
      if (error) {
        next(error);
        return;
      }
      keepForThisResponse(req.session);
      go();
    });
  };
  next();
};

/**
 * The library does not notice that a renewed session is saved and would save it again with the last
 * byte, overwriting changes by the next page, especially its token.
 */
const keepForThisResponse = (session: Request['session']): void => {
  session.save = (done) => {
    done?.(null);
    return session;
  };
};
