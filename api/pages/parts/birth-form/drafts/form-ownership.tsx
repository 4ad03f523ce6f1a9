import type { Request, RequestHandler } from 'express';
import { listFormNames, readFormText, readFormTexts } from '../../../../web/form-body.ts';
import { FORM_OF_ANOTHER_USER } from '../../../../web/page-problem.ts';
import { CSRF_FIELD, readFormOwner } from '../../../../web/session/csrf.ts';
import { getSignedIn } from '../../../../web/session/signed-in-session.ts';
import { Notice } from '../../../layout/flash-messages.tsx';
import { sendPage } from '../../../layout/send-page.tsx';
import { OthersForm, type PreservedFormProps, SignedOutForm } from './preserved-form.tsx';

/** Must precede the guard, which would judge the current seat and discard the input. */
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

/** Stores nothing, because the sender is unknown. */
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

const preserveForm = (req: Request): PreservedFormProps => ({
  action: req.path,
  carried: readTypedValues(req),
  token: readFormText(req, CSRF_FIELD),
});

export const readTypedValues = (req: Request): Readonly<Record<string, string>> =>
  Object.fromEntries(
    listFormNames(req)
      .filter((name) => !BUTTONS.has(name))
      .map((name) => [name, readFormTexts(req, name).join('; ')] as const),
  );

export const ReviewAndResubmit = () => (
  <Notice kind="warning" id="opened-earlier">
    You opened this form too long ago, or before you signed in or out. Nothing is saved yet, but
    everything you typed is here. Review it, then save it.
  </Notice>
);
