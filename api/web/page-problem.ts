import type { SignedIn } from '../access/signed-in.ts';

export class PageProblem extends Error {
  override readonly name = 'PageProblem';
  readonly status: number;
  readonly heading: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  /** True if nothing is broken, and the same request may succeed a little later. */
  readonly isExpected: boolean;

  /** @param text no submitted value */
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

/** Also for an address of another practice. */
export const pageNotFound = (): PageProblem =>
  new PageProblem(
    404,
    'Page not found',
    'There is no page at this address. It may have moved, or the link may be incomplete.',
  );

/** @param methods for the `Allow` header */
export const pageAllowsOnly = (methods: string): PageProblem =>
  new PageProblem(
    405,
    'This page does not accept this request',
    'Nothing was saved. Open the page in a browser.',
    { Allow: methods },
  );

/** @param who `null` if unknown */
export const pageForbidden = (who: SignedIn | null, isForStaff = false): PageProblem => {
  if (who?.kind === 'staff')
    return new PageProblem(
      403,
      'This page belongs to a practice',
      'You are signed in as service staff, who are not members of any practice. Sign in with a member’s account to open it.',
    );
  if (isForStaff)
    return new PageProblem(
      403,
      'This page is for the service staff',
      'You are signed in as a member of a practice. If you also work for the service, sign in with that account.',
    );
  return new PageProblem(
    403,
    'You don’t have access',
    'Your role doesn’t have access to this page. Ask your practice’s Admin.',
  );
};

export const signedOut = (): PageProblem =>
  new PageProblem(
    401,
    'You are signed out',
    'Nothing was saved. Sign in, open the page again, and submit the form again.',
  );

/** The role changed while the form waited. */
export const rightsChanged = (): PageProblem =>
  new PageProblem(
    403,
    'Your role has changed',
    'Nothing was saved: your role no longer lets you do this. Ask your practice’s Admin.',
  );

const FORM_EXPIRED = 'This form has expired';

/** Also for a form without a valid token. */
export const crossSiteForm = (): PageProblem =>
  new PageProblem(
    403,
    FORM_EXPIRED,
    'Nothing was saved. The page was open too long, or the form came from another site. Go back, reload the page, and submit the form again.',
  );

export const formExpired = (): PageProblem =>
  new PageProblem(
    410,
    FORM_EXPIRED,
    'Nothing was saved. You opened this form too long ago, or before you signed in. Go back, reload the page, and submit the form again.',
  );

export const FORM_OF_ANOTHER_USER = 'Someone else opened this form';

export const formOfAnotherUser = (): PageProblem =>
  new PageProblem(
    409,
    FORM_OF_ANOTHER_USER,
    'Nothing was saved. Only the person who opened it can submit it. If that was you, sign in with your own account and open it again.',
  );

export const unreadableForm = (status: 400 | 413): PageProblem =>
  new PageProblem(
    status,
    'Something was wrong with this request',
    status === 413
      ? 'Nothing was saved. The form is too large. Go back and submit less at a time.'
      : 'Nothing was saved. Go back, reload the page, and try again.',
  );

/** Other files are checked first. */
export const filesAhead = (): PageProblem =>
  new PageProblem(
    503,
    'Other files are being checked',
    'Nothing was saved. Wait a minute, then upload the file again.',
    { 'Retry-After': '60' },
    true,
  );

/** Others waited for the memory that a slow upload held. */
export const fileTooSlow = (): PageProblem =>
  new PageProblem(
    503,
    'The file took too long to arrive',
    'Nothing was saved. The file made room for others that were waiting. Wait a minute, then upload it again.',
    { 'Retry-After': '60' },
    true,
  );

export const fileIsChecked = (): PageProblem =>
  new PageProblem(
    409,
    'Your file is still being checked',
    'Nothing was imported. Wait until its check has ended, then try again.',
    { 'Retry-After': '1' },
    true,
  );

/** @param seconds until there may be room */
export const recordsAhead = (seconds: number): PageProblem =>
  new PageProblem(
    503,
    'Many births are waiting to be recorded',
    'Nothing was imported. The checked file is still there: wait a minute, then go to Import and open it again.',
    { 'Retry-After': String(seconds) },
    true,
  );

export const passwordsBusy = (): PageProblem =>
  new PageProblem(
    503,
    'Many people are signing in right now',
    'Your password was not checked, and nothing was saved. Wait 10 seconds, then try again.',
    { 'Retry-After': '10' },
    true,
  );

/**
 * Refused before the fields of the form are read.
 * @param list what there is too much of: "children"
 * @param length `null` if it was not counted
 */
export const formOverLimit = (list: string, length: number | null, most: number): PageProblem =>
  new PageProblem(
    413,
    'This form is too long',
    `Nothing was saved. The form has ${length === null ? 'too many' : format(length)} ${list}: it may have up to ${format(most)}. Go back and submit less at a time.`,
  );

const format = (count: number): string => count.toLocaleString('en-US');

export const TOO_MANY_TITLE = 'Too many attempts';

/** @param text for the person, with the time to wait */
export const tooManyAttempts = (text: string, waitMs: number): PageProblem =>
  new PageProblem(429, TOO_MANY_TITLE, text, {
    'Retry-After': String(Math.ceil(waitMs / 1_000)),
  });

export const serviceUnavailable = (): PageProblem =>
  new PageProblem(
    503,
    'The registry is not available right now',
    'Try again in a moment. If you just submitted a form, check whether it was saved before submitting again.',
    { 'Retry-After': '2' },
  );

/** A newer version of the service built the read tables. */
export const replacedByNewer = (): PageProblem =>
  new PageProblem(
    503,
    'The registry is being upgraded',
    'Load this page again in a minute. If you just submitted a form, it was not saved: submit it again then.',
    { 'Retry-After': '10' },
    true,
  );

export const unexpectedFault = (): PageProblem =>
  new PageProblem(
    500,
    'Something went wrong',
    'Reload the page. If you just submitted a form, check first whether it was saved. If this happens again, give support the reference below.',
  );
