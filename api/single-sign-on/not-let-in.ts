import type { SingleSignOnRefusal } from '../../domain/access-log/events.ts';
import { PageProblem } from '../web/page-problem.ts';

const AGAIN = 'Sign in again from the sign-in page.';
const TELL = 'If it happens again, tell the people who look after your single sign-on.';

const NOT_LET_IN: Readonly<
  Record<SingleSignOnRefusal, readonly [status: number, heading: string, text: string]>
> = {
  declined: [
    403,
    'You were not signed in',
    `Your single sign-on ended the sign-in. ${AGAIN} ${TELL}`,
  ],
  'unusable-answer': [
    400,
    'This sign-in is over',
    `It was used before, took too long, or was begun in another browser. ${AGAIN}`,
  ],
  'provider-trouble': [
    502,
    'Single sign-on does not answer',
    `It cannot be reached right now, or its answer cannot be used. Wait a moment. ${AGAIN} ${TELL}`,
  ],
  'wrong-token': [
    403,
    'You were not signed in',
    `What your single sign-on said was not meant for this sign-in, or is too old. ${AGAIN} ${TELL}`,
  ],
  'email-missing': [
    403,
    'Your single sign-on names no email',
    'The registry knows people by their email. Ask the people who look after your single sign-on to give it to the registry.',
  ],
  'email-not-verified': [
    403,
    'Your email is not verified',
    'Your single sign-on does not say that your email is yours. Verify it there, then sign in again.',
  ],
  'domain-not-allowed': [
    403,
    'Your email does not sign in here',
    'The domain of your email is not one of those that may use this single sign-on. Sign in with your work email, or ask an Admin of your practice.',
  ],
  'no-account': [
    403,
    'You have no seat here',
    'Nobody has given your email a seat that this single sign-on opens, or the invitation has ended. Ask an Admin of your practice to invite you.',
  ],
  'practice-has-provider': [
    403,
    'Your practice has its own single sign-on',
    'Sign in at the address that an Admin of your practice has for it, or with your password.',
  ],
  'several-invitations': [
    409,
    'Several practices have invited you',
    'Sign in with the one-time password of the practice that you choose. Afterwards single sign-on works.',
  ],
  'invitation-refused': [409, 'The invitation could not be accepted', AGAIN],
  'another-person': [
    403,
    'This account belongs to someone else',
    'Another person at your single sign-on has used it before. If it is yours, ask an Admin of your practice for a new password: then it belongs to the next person who signs in with this email.',
  ],
  'ended-meanwhile': [
    403,
    'You were not signed in',
    `Your account was changed, or signed out everywhere, while you signed in. ${AGAIN} If it does not help, ask an Admin of your practice.`,
  ],
};

/**
 * The page for a person whom single sign-on does not let in. Nothing that the provider said is on it.
 * @param text in the place of the usual one
 */
export const notLetIn = (why: SingleSignOnRefusal, text?: string, cause?: unknown): PageProblem => {
  const [status, heading, usual] = NOT_LET_IN[why];
  const page = new PageProblem(status, heading, text ?? usual);
  page.cause = cause;
  return page;
};

/** No single sign-on is set up at this address. */
export const noSingleSignOn = (): PageProblem =>
  new PageProblem(
    404,
    'There is no single sign-on here',
    'None is set up at this address, or it was turned off. Sign in with your password, or ask an Admin of your practice for the address.',
  );

/** Too many sign-ins came to nothing. @param waitMs milliseconds until the next one is looked at */
export const tooManySignIns = (waitMs: number, wait: string): PageProblem =>
  new PageProblem(
    429,
    'Too many tries',
    `Too many sign-ins from here came to nothing. Wait ${wait}, then sign in again.`,
    { 'Retry-After': String(Math.ceil(waitMs / 1_000)) },
  );
