import type { SignedIn } from '../access/signed-in.ts';

/** Page that cannot be shown or form that is refused; becomes an error page. */
export class PageProblem extends Error {
  override readonly name = 'PageProblem';
  readonly status: number;
  readonly heading: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  /** True for a 5xx that follows from the settings and is not a fault. */
  readonly isExpected: boolean;

  /** @param text the problem and its remedy, without any submitted value */
  constructor(
    status: number,
    heading: string,
    text: string,
    headers: Readonly<Record<string, string>> = {},
    isExpected = false,
  ) {
    super(heading);
    this.status = status;
    this.heading = heading;
    this.text = text;
    this.headers = headers;
    this.isExpected = isExpected;
  }
}

/** The address does not exist, or not in the seat's practice. */
export const pageNotFound = (): PageProblem =>
  new PageProblem(
    404,
    'Page not found',
    'There is nothing at this address. It may have been moved, or the link may be cut short.',
  );

/**
 * The page exists, but does not support the method.
 * @param methods for the `Allow` header
 */
export const pageAllowsOnly = (methods: string): PageProblem =>
  new PageProblem(
    405,
    'This page cannot be used this way',
    'Nothing was saved. Open the page in a browser.',
    { Allow: methods },
  );

/**
 * The account may not open this page.
 * @param who `null` if unknown
 */
export const pageForbidden = (who: SignedIn | null, isForStaff = false): PageProblem => {
  if (who?.kind === 'staff')
    return new PageProblem(
      403,
      'This page belongs to a practice',
      'You are signed in as service staff, and the staff have no seat in any practice. Sign in with the account of a member to open it.',
    );
  if (isForStaff)
    return new PageProblem(
      403,
      'This page is for the service staff',
      'You are signed in as a member of a practice. If you work for the service too, sign in with that account.',
    );
  return new PageProblem(
    403,
    'You don’t have access',
    'Your seat cannot open this page. Ask your practice’s Admin for access.',
  );
};

/** The form came from a browser that is not, or no longer, signed in. */
export const signedOut = (): PageProblem =>
  new PageProblem(
    401,
    'You are signed out',
    'Nothing was saved. Sign in, open the page again, and send the form again.',
  );

/** Heading of the answer to a form without a valid token. */
export const FORM_EXPIRED = 'This form cannot be taken';

/** The form came from another site or without a valid token. */
export const crossSiteForm = (): PageProblem =>
  new PageProblem(
    403,
    FORM_EXPIRED,
    'Nothing was saved. The page was open for too long, or the form was sent from another site. Go back, load the page again, and send the form once more.',
  );

/** The form is ours, but its token is from an earlier session; the person may resend it. */
export class StaleFormToken extends PageProblem {
  constructor() {
    super(
      403,
      'Send this form once more',
      'You have signed in again since its page was opened, so nothing was saved yet. What you typed is kept here.',
    );
  }
}

export const FORM_OF_ANOTHER_USER = 'This form was opened by another person';

/** The form was opened by a person other than its sender. */
export const formOfAnotherUser = (): PageProblem =>
  new PageProblem(
    409,
    FORM_OF_ANOTHER_USER,
    'Nothing of it was saved or kept, and only they can send it. If it is yours, sign in as yourself and open it again.',
  );

/** The form does not name the person who opened it. */
export const unknownFormOwner = (): PageProblem =>
  new PageProblem(
    409,
    'Open this form again',
    'Nothing was saved. The page of the form is older than the registry is by now, and does not say who opened it. Open the form again; in that of a birth, what was kept while it was filled in is offered.',
  );

/** The form cannot have been sent by its page. */
export const unreadableForm = (status: 400 | 413): PageProblem =>
  new PageProblem(
    status,
    'This request cannot be understood',
    status === 413
      ? 'Nothing was saved. The form holds more than the registry takes at once: go back, and send less of it.'
      : 'Nothing was saved. Go back, load the page again, and try once more.',
  );

/**
 * Rate limit reached.
 * @param text for the person, with the time to wait
 * @param waitMs time to wait
 */
export const tooManyAttempts = (text: string, waitMs: number): PageProblem =>
  new PageProblem(429, 'Too many tries', text, {
    'Retry-After': String(Math.ceil(waitMs / 1_000)),
  });

/** The event log or the database is unavailable. */
export const serviceUnavailable = (): PageProblem =>
  new PageProblem(
    503,
    'The registry cannot be reached right now',
    'Try again in a moment. If you have just sent a form, look whether it was saved before you send it again.',
    { 'Retry-After': '2' },
  );

export const unexpectedFault = (): PageProblem =>
  new PageProblem(
    500,
    'Internal error',
    'Load the page again. If you have just sent a form, look first whether it was saved. If it happens again, tell support the reference below.',
  );
