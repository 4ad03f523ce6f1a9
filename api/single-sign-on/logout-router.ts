import express, { type ErrorRequestHandler, type Request, type Response, Router } from 'express';
import { noteSignedOutByProvider } from '../access-log/access-notes.ts';
import type { App } from '../ports/app-ports.ts';
import { readFormText, removeNul } from '../web/form-body.ts';
import type { SignInProviders } from '../web/sign-in-providers.ts';

/** Logout tokens are much smaller. */
const MAX_BYTES = 16_384;
const MAX_FIELDS = 10;

/**
 * No browser or session: the provider's signature authenticates a logout.
 * @see https://openid.net/specs/openid-connect-backchannel-1_0.html
 */
export const providerLogoutRouter = (
  ports: Pick<App, 'singleSignOn' | 'noteAccess' | 'reads' | 'now' | 'onFault'>,
  { ask, find }: SignInProviders,
): Router => {
  const { singleSignOn, onFault } = ports;
  const onTrouble = onFault(
    'An identity provider ended a session, but that could not be checked or stored.',
  );

  /** @returns true if the token is valid and the sessions are ended */
  const logOut = async (req: Request, res: Response, practiceId: string | null) => {
    const provider = await find(practiceId);
    const token = readFormText(req, 'logout_token');
    const logout = provider === null || token === '' ? null : await ask.readLogout(provider, token);
    if (logout === null || !(await singleSignOn.endSessions(logout))) return false;
    const { issuer, subject } = logout;
    const accountId = subject === null ? null : await singleSignOn.accountOf(issuer, subject);
    if (accountId !== null) await noteSignedOutByProvider(ports, res, accountId);
    return true;
  };

  const answer = async (req: Request, res: Response, practiceId: string | null): Promise<void> => {
    res.set('Cache-Control', 'no-store');
    try {
      if (await logOut(req, res, practiceId)) res.status(200).end();
      else refuse(res);
    } catch (error) {
      onTrouble(error);
      res.status(503).set('Retry-After', '5').json({ error: 'temporarily_unavailable' });
    }
  };

  return Router()
    .use(
      '/sign-in/sso',
      express.urlencoded({ extended: false, limit: MAX_BYTES, parameterLimit: MAX_FIELDS }),
      unreadable,
    )
    .post('/sign-in/sso/logout', (req, res) => answer(req, res, null))
    .post('/sign-in/sso/:practice/logout', (req, res) =>
      // This route runs before the check that refuses NUL in paths, which Postgres cannot store.
      answer(req, res, removeNul(req.params.practice)),
    );
};

const refuse = (res: Response): void => {
  res.status(400).json({ error: 'invalid_request' });
};

/** A body that is too large, or not a form, is not a logout. */
const unreadable: ErrorRequestHandler = (_error, _req, res, _next) => {
  res.set('Cache-Control', 'no-store');
  refuse(res);
};
