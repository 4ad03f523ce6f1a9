import type { Request, RequestHandler } from 'express';
import session from 'express-session';
import { attachFormTokens } from './request-tokens.ts';
import { cookieName, cookieOptions } from './session-cookie.ts';

declare module 'express-session' {
  interface SessionData {
    /** Missing before sign-in. */
    accountId: string;
    /** From the sign-in: changing the password ends the session. */
    generation: string;
    /** Latest use of a second factor, in ms since 1970; missing if this session has used none. */
    factorAt: number;
    /** Milliseconds since 1970. */
    startedAt: number;
    /**
     * Latest confirmation by password, or sign-in at the identity provider, in ms since 1970. Missing after a
     * sign-in by password, which {@link startedAt} has, and if the provider does not say when.
     */
    confirmedAt: number;
    /** Session at the identity provider; this one ends with it. Missing after a sign-in by password. */
    provider: ProviderSession;
  }
}

/** The SQL that reads sessions depends on these names. */
export interface ProviderSession {
  readonly issuer: string;
  readonly subject: string;
  /** `null` if the provider does not distinguish sessions. */
  readonly sid: string | null;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
}

export interface SessionOptions {
  readonly store: session.Store;
  readonly secret: string;
  readonly isSecure: boolean;
  readonly now: () => Date;
}

/** For visitors, such as a pre-fill before sign-in. */
const VISITOR_IDLE_MS = 30 * 60_000;
/** Applies after sign-in, even if active. */
export const MAX_SESSION_MS = 12 * 60 * 60_000;

/** Stores no session for a visitor until it has content. */
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
    attachFormTokens({ name, isSecure, secret, now }),
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

export const isBlankSession = (req: Request): boolean =>
  Object.keys(req.session).every((key) => key === 'cookie');

/** Browsers follow a redirect at its first byte, before the library has saved the session. */
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
      disableFurtherSaves(req.session);
      go();
    });
  };
  next();
};

/**
 * The library would save a renewed session again with the last byte, overwriting changes by the
 * next page.
 */
const disableFurtherSaves = (session: Request['session']): void => {
  session.save = (done) => {
    done?.(null);
    return session;
  };
};
