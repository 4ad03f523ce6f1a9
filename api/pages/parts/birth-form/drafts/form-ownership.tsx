import type { Request, RequestHandler } from 'express';
import { listFormNames, readFormText, readFormTexts } from '../../../../web/form-body.ts';
import { FORM_OF_ANOTHER_USER } from '../../../../web/page-problem.ts';
import { CSRF_FIELD, readFormOwner } from '../../../../web/session/csrf.ts';
import { getSignedIn } from '../../../../web/session/signed-in-session.ts';
import { Notice } from '../../../layout/flash-messages.tsx';
import { sendPage } from '../../../layout/send-page.tsx';
import { OthersForm, type PreservedFormProps, SignedOutForm } from './preserved-form.tsx';

/**
 * Answers another person's form with a page that contains all its values, for the person who opened
 * it in the same browser. It must precede the guard, which would judge the current seat and discard
 * the input.
 */
export const holdForOwner: RequestHandler = (req, res, next) => {
  const who = getSignedIn(res);
  if (who === null || readFormOwner(req, res) !== 'another') {
    next();
    return;
  }
  sendPage(
    req,
    res,
    {
      title: FORM_OF_ANOTHER_USER,
      children: <OthersForm {...preserveForm(req)} who={who} />,
    },
    409,
  );
};

const BUTTONS: ReadonlySet<string> = new Set([
  CSRF_FIELD,
  'save',
  'add',
  'remove',
  'discard',
  'back',
]);

/**
 * Answers a form after its session has ended with a page that contains all its values. The server
 * stores nothing, because the sender is unknown.
 */
const preserveInput: RequestHandler = (req, res, next) => {
  if (getSignedIn(res) !== null) {
    next();
    return;
  }
  sendPage(
    req,
    res,
    {
      title: 'You are signed out',
      children: <SignedOutForm {...preserveForm(req)} />,
    },
    401,
  );
};

/** Guards of a posted birth form, in the order in which none of them discards the input. */
export const guardBirthForm = (role: RequestHandler): readonly RequestHandler[] => [
  preserveInput,
  holdForOwner,
  role,
];

/** Posted form with the token of the person who opened it. */
const preserveForm = (req: Request): PreservedFormProps => ({
  action: req.path,
  carried: readTypedValues(req),
  token: readFormText(req, CSRF_FIELD),
});

/** All values of a posted form, for a page that preserves them. */
export const readTypedValues = (req: Request): Readonly<Record<string, string>> =>
  Object.fromEntries(
    listFormNames(req)
      .filter((name) => !BUTTONS.has(name))
      .map((name) => [name, readFormTexts(req, name).join('; ')] as const),
  );

/** Text of {@link ReviewAndResubmit}. */
export const OPENED_EARLIER =
  'You opened this form too long ago, or before you signed in or out. Nothing is saved yet, but everything you typed is here. Review it, then save it.';

/** Notice above a form without the sender's own token. */
export const ReviewAndResubmit = () => <Notice kind="warning">{OPENED_EARLIER}</Notice>;
