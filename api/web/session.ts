import type { Request, RequestHandler } from 'express';
import session from 'express-session';
import { cookieName, cookieOptions } from './session-cookie.ts';
import { visitorTokens } from './visitor-token.ts';

declare module 'express-session' {
  interface SessionData {
    /** Whose session it is; absent before sign-in. */
    accountId: string;
    /** Of the password that it began with: with another one it is over. */
    generation: string;
    /** When its person showed a second factor last, milliseconds since 1970; absent: the account has none. */
    factorAt: number;
    /** When its account signed in, milliseconds since 1970. */
    startedAt: number;
    /** When its person typed their password again, or signed in at their provider again; milliseconds since 1970. */
    confirmedAt: number;
    /** Of the identity provider that it began at: with that one it is over. Absent: it began with a password. */
    provider: ProviderSession;
  }
}

/** The session of a person at an identity provider. The statement that reads sessions knows these names. */
export interface ProviderSession {
  readonly issuer: string;
  readonly subject: string;
  /** Null: the provider does not tell sessions of a person apart. */
  readonly sid: string | null;
  /** When the provider said so, milliseconds since 1970. */
  readonly issuedAt: number;
}

/** What sessions work with. */
export interface SessionOptions {
  readonly store: session.Store;
  /** Signs the cookie. */
  readonly secret: string;
  /** The public address is https: the cookie is sent over nothing else. */
  readonly isSecure: boolean;
}

/** What a visitor's session holds, such as a pre-fill before the sign-in, is kept for so long. Milliseconds. */
const VISITOR_IDLE_MS = 30 * 60_000;
/** A session is over so long after sign-in, whatever was asked of it. Milliseconds. */
export const MAX_SESSION_MS = 12 * 60 * 60_000;

/** Reads the session of a request; writes none while there is nothing to keep of a visitor. */
export const sessions = ({ store, secret, isSecure }: SessionOptions): RequestHandler[] => {
  const ofPublicAddress: RequestHandler = (req, _res, next) => {
    // The public address says how people come; a proxy that ends TLS may not say so by itself, and
    // the library sends no Secure cookie over what it takes for plain HTTP.
    if (isSecure) req.headers['x-forwarded-proto'] = 'https';
    next();
  };
  const name = cookieName(isSecure);
  return [
    ofPublicAddress,
    visitorTokens({ name, isSecure, secret }),
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
    keptBeforeRedirect,
  ];
};

/** Whether there is nothing in a session that was worth keeping. */
export const isBlankSession = (req: Request): boolean =>
  Object.keys(req.session).every((key) => key === 'cookie');

/**
 * Keeps the session before a redirect is sent. The library keeps it before the last byte of an
 * answer, but browsers follow a redirect at its first: the next page would not know of it yet.
 */
const keptBeforeRedirect: RequestHandler = (req, res, next) => {
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
      keptForThisAnswer(req.session);
      go();
    });
  };
  next();
};

/**
 * Of a renewed session the library does not see that it is kept, and would keep it again at the
 * last byte: over what the next page may have put into it meanwhile, its token above all.
 */
const keptForThisAnswer = (session: Request['session']): void => {
  session.save = (done) => {
    done?.(null);
    return session;
  };
};
