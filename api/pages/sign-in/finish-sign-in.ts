import type { Request, Response } from 'express';
import type { SignInFactor } from '../../../domain/access-log/events.ts';
import { countInWords } from '../../../domain/format-measures.ts';
import { DEFAULT_TIME_ZONE } from '../../../domain/practice/state.ts';
import type { SignedIn } from '../../access/signed-in.ts';
import { noteSignIn } from '../../access-log/access-notes.ts';
import type { App } from '../../ports/app-ports.ts';
import { flash } from '../../web/flash.ts';
import { passwordPage, requireOwnPassword } from '../../web/own-password.ts';
import type { ProviderSession } from '../../web/session.ts';
import { beginSession } from '../../web/signed-in-session.ts';
import { homeOf } from '../frame/places.ts';

/** The message after somebody took a seat by signing in. */
export const describeJoined = (practice: string): string => `You are now a member of ${practice}.`;

/** What is known of a person who has shown everything that a sign-in asks for. */
export interface ShownCredentials {
  readonly accountId: string;
  /** Of the password, for the session. */
  readonly generation: string;
  /** It is a one-time password that only lets its owner choose another. */
  readonly isOneTime: boolean;
  /** Wrong passwords before, and since when. */
  readonly failures: number;
  readonly failedSince: number | null;
  /** The page to go to; null: the first one. */
  readonly next: string | null;
  /** The provider session the person signed in with; absent: a password. */
  readonly provider?: ProviderSession;
  /** Name of the practice that the person has just joined; absent: none. */
  readonly joined?: string;
}

/** A second factor, and when it was shown. */
export interface SignInFactorShown {
  readonly kind: SignInFactor;
  readonly at: Date;
}

/** Begins the session, and leads on. @param factor null: none was shown */
export const finishSignIn = async (
  registry: App,
  req: Request,
  res: Response,
  who: SignedIn,
  shown: ShownCredentials,
  factor: SignInFactorShown | null,
): Promise<void> => {
  const { accountId, generation, isOneTime, next, provider } = shown;
  await registry.passwords.forgetFailures(accountId);
  // No one is let in without a note in the access log.
  await noteSignIn(registry, res, who, {
    ...(provider === undefined ? {} : { by: 'single-sign-on' as const }),
    ...(factor === null ? {} : { factor: factor.kind }),
  });
  await beginSession(req, accountId, generation, registry.now());
  if (provider !== undefined) req.session.provider = provider;
  if (factor !== null) req.session.factorAt = factor.at.getTime();
  if (shown.joined !== undefined) flash(req, 'success', describeJoined(shown.joined));
  tellFailures(req, shown, who.kind === 'member' ? who.practice.timeZone : DEFAULT_TIME_ZONE);
  if (isOneTime) requireOwnPassword(req);
  res.redirect(303, isOneTime ? passwordPage(next) : (next ?? homeOf(who)));
};

/** Somebody typed a wrong password for an account. @param since a day in words */
export const describeTries = (failures: number, since: string): string =>
  `There ${failures === 1 ? 'was 1 try' : `were ${countInWords(failures, 'try', 'tries')}`} to sign in to your account with a wrong password since ${since}. If that was not you, change your password.`;

/** Tells the owner of an account how often others, or they themselves, typed a wrong password. */
const tellFailures = (
  req: Request,
  { failures, failedSince }: ShownCredentials,
  timeZone: string,
): void => {
  if (failures === 0 || failedSince === null) return;
  const since = new Date(failedSince).toLocaleDateString('en-US', {
    month: 'long',
    day: 'numeric',
    timeZone,
  });
  flash(req, 'warning', describeTries(failures, since), {
    href: '/account/password',
    text: 'Change your password',
  });
};
