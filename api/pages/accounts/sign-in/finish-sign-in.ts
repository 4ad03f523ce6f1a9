import type { Request, Response } from 'express';
import type { SignInFactor } from '../../../../domain/access-log/events.ts';
import { countInWords } from '../../../../domain/format-measures.ts';
import { DEFAULT_TIME_ZONE } from '../../../../domain/practice/state.ts';
import type { SignedIn } from '../../../access/signed-in.ts';
import { noteSignIn } from '../../../access-log/access-notes.ts';
import type { App } from '../../../ports/app-ports.ts';
import { getPasswordPage, requireOwnPassword } from '../../../web/guards/own-password.ts';
import { addFlash } from '../../../web/session/flash.ts';
import type { ProviderSession } from '../../../web/session/session.ts';
import { beginSession } from '../../../web/session/signed-in-session.ts';
import { getHomePath } from '../../layout/navigation.ts';
import { type Redirect, redirect } from '../../layout/routes.tsx';

export interface VerifiedCredentials {
  readonly accountId: string;
  /** Password generation, for the session. */
  readonly generation: string;
  /** True for a one-time password, which only allows choosing a new one. */
  readonly isOneTime: boolean;
  /** Wrong passwords since the last sign-in, and the time of the first. */
  readonly failures: number;
  readonly failedSince: number | null;
  /** Page to open; `null` for the start page. */
  readonly next: string | null;
  /** Session at the identity provider; absent for a password. */
  readonly provider?: ProviderSession;
  /** Time at which the person signed in there; absent for a password, or if the provider does not say. */
  readonly confirmedAt?: number;
  readonly joined?: string;
}

export interface FactorUse {
  readonly kind: SignInFactor;
  readonly at: Date;
}

/** @param factor `null` if none was used */
export const finishSignIn = async (
  app: App,
  req: Request,
  res: Response,
  who: SignedIn,
  credentials: VerifiedCredentials,
  factor: FactorUse | null,
): Promise<Redirect> => {
  const { accountId, generation, isOneTime, next, provider } = credentials;
  await app.passwords.forgetFailures(accountId);
  // Every sign-in must be in the access log.
  await noteSignIn(app, res, who, {
    ...(provider === undefined ? {} : { by: 'single-sign-on' as const }),
    ...(factor === null ? {} : { factor: factor.kind }),
  });
  await beginSession(req, accountId, generation, app.now());
  if (provider !== undefined) req.session.provider = provider;
  if (credentials.confirmedAt !== undefined) req.session.confirmedAt = credentials.confirmedAt;
  if (factor !== null) req.session.factorAt = factor.at.getTime();
  if (credentials.joined !== undefined)
    addFlash(req, {
      kind: 'success',
      id: 'joined',
      text: `You are now a member of ${credentials.joined}.`,
    });
  flashFailedAttempts(
    req,
    credentials,
    who.kind === 'member' ? who.practice.timeZone : DEFAULT_TIME_ZONE,
  );
  if (isOneTime) requireOwnPassword(req);
  return redirect(isOneTime ? getPasswordPage(next) : (next ?? getHomePath(who)));
};

/** Shows owners how many wrong passwords were typed for their account, by themselves or others. */
const flashFailedAttempts = (
  req: Request,
  { failures, failedSince }: VerifiedCredentials,
  timeZone: string,
): void => {
  if (failures === 0 || failedSince === null) return;
  const since = new Date(failedSince).toLocaleDateString('en-US', {
    month: 'long',
    day: 'numeric',
    timeZone,
  });
  addFlash(req, {
    kind: 'warning',
    id: 'wrong-passwords',
    text: `There ${failures === 1 ? 'was' : 'were'} ${countInWords(failures, 'attempt')} to sign in to your account with a wrong password since ${since}. If that was not you, change your password.`,
    link: { href: '/account/password', text: 'Change your password' },
  });
};
