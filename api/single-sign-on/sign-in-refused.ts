import type { SingleSignOnRefusal } from '../../domain/access-log/events.ts';
import { PageProblem, tooManyAttempts } from '../web/page-problem.ts';

const AGAIN = 'Sign in again from the sign-in page.';
const CONTACT_MANAGERS = 'If it happens again, tell the people who manage your single sign-on.';

const REFUSAL_TEXTS: Readonly<
  Record<SingleSignOnRefusal, readonly [status: number, heading: string, text: string]>
> = {
  declined: [
    403,
    'You were not signed in',
    `Your single sign-on did not complete the sign-in. ${AGAIN} ${CONTACT_MANAGERS}`,
  ],
  'unusable-answer': [
    400,
    'This sign-in is over',
    `It was already used, took too long, or was started in another browser. ${AGAIN}`,
  ],
  'provider-trouble': [
    502,
    'Single sign-on does not answer',
    `It cannot be reached right now, or its answer cannot be used. Wait a moment. ${AGAIN} ${CONTACT_MANAGERS}`,
  ],
  'wrong-token': [
    403,
    'You were not signed in',
    `The answer from your single sign-on was not for this sign-in, or it is too old. ${AGAIN} ${CONTACT_MANAGERS}`,
  ],
  'email-missing': [
    403,
    'Your single sign-on did not send an email',
    'The registry identifies people by their email. Ask the people who manage your single sign-on to send it to the registry.',
  ],
  'email-not-verified': [
    403,
    'Your email is not verified',
    'Your single sign-on has not verified your email. Verify it there, then sign in again.',
  ],
  'domain-not-allowed': [
    403,
    'Your email cannot sign in here',
    'Emails with your domain cannot use this single sign-on. Sign in with your work email, or ask an Admin of your practice.',
  ],
  'no-account': [
    403,
    'You have no account here',
    'Your email has no account that this single sign-on can open, or the invitation has expired. Ask an Admin of your practice to invite you.',
  ],
  'practice-has-provider': [
    403,
    'Your practice has its own single sign-on',
    'Ask an Admin of your practice for its sign-in address, or sign in with your password.',
  ],
  'several-invitations': [
    409,
    'Several practices have invited you',
    'Sign in with the one-time password from the practice you want to join. After that, single sign-on works.',
  ],
  'invitation-refused': [409, 'The invitation could not be accepted', AGAIN],
  'another-person': [
    403,
    'This account belongs to someone else',
    'Another person in your single sign-on has used it before. If it is yours, ask an Admin of your practice for a new password. After that, it belongs to the next person who signs in with this email.',
  ],
  'ended-meanwhile': [
    403,
    'You were not signed in',
    `Your account was changed or signed out everywhere while you were signing in. ${AGAIN} If that does not help, ask an Admin of your practice.`,
  ],
};

/** The person is still signed in. */
const NOT_CONFIRMED_HEADING = 'Single sign-on did not confirm that it is you';

export const NOT_CONFIRMED =
  'Nothing has changed, and you are still signed in. The answer from your single sign-on does not show that you signed in just now. Go back and try again. If it happens again, ask an Admin of your practice for a new password, sign in with it, and set up a second factor on your Security page. Also ask the people who manage your single sign-on to send “auth_time”.';

export const SOMEBODY_ELSE =
  'You signed in there as another person than before. Nothing has changed: try again as yourself.';

/** Shows nothing the provider sent. */
export const signInRefused = (
  why: SingleSignOnRefusal,
  text?: string,
  cause?: unknown,
): PageProblem => {
  const [status, usualHeading, usual] = REFUSAL_TEXTS[why];
  const isConfirmation = text === NOT_CONFIRMED || text === SOMEBODY_ELSE;
  const heading = isConfirmation ? NOT_CONFIRMED_HEADING : usualHeading;
  const page = new PageProblem(status, heading, text ?? usual);
  page.cause = cause;
  return page;
};

export const noSingleSignOn = (): PageProblem =>
  new PageProblem(
    404,
    'There is no single sign-on here',
    'It was never set up at this address, or it was turned off. Sign in with your password, or ask an Admin of your practice for the address.',
  );

/** @param waitMs milliseconds until the next attempt is allowed */
export const tooManySignIns = (waitMs: number, wait: string): PageProblem =>
  tooManyAttempts(
    `Too many sign-ins from your network failed. Wait ${wait}, then sign in again.`,
    waitMs,
  );
