import type { Request, RequestHandler, Response } from 'express';
import { listFormNames, readFormTexts } from '../../../web/form-body.ts';
import {
  FORM_OF_ANOTHER_USER,
  formOfAnotherUser,
  type PageProblem,
  unknownFormOwner,
} from '../../../web/page-problem.ts';
import { CSRF_FIELD, hasCsrfToken } from '../../../web/session/csrf.ts';
import { type FormOwner, readFormOwner } from '../../../web/session/form-owner.ts';
import { getSignedIn } from '../../../web/session/signed-in-session.ts';
import { Notice } from '../../layout/flash-messages.tsx';
import { sendPage } from '../../layout/send-page.tsx';
import { OthersForm, SignedOutForm } from './preserved-form.tsx';

/** True if the signed-in person opened the form themselves: only then is it stored. */
export const isOwnForm = (req: Request, res: Response): boolean =>
  hasCsrfToken(req) && readFormOwner(req, res) === 'sender';

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
      children: <OthersForm action={req.path} carried={readTypedValues(req)} who={who} />,
    },
    409,
  );
};

const refuseOpenedBy =
  (refused: FormOwner, problem: () => PageProblem): RequestHandler =>
  (req, res, next) => {
    if (getSignedIn(res) !== null && readFormOwner(req, res) === refused) throw problem();
    next();
  };

/** Refuses the script of a form that another person opened. */
export const refuseOtherOwner = refuseOpenedBy('another', formOfAnotherUser);

/**
 * Refuses a form with neither a seat nor the session's token: its page is from an older release.
 */
export const refuseUnknownOwner = refuseOpenedBy('unsaid', unknownFormOwner);

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
      children: <SignedOutForm action={req.path} carried={readTypedValues(req)} />,
    },
    401,
  );
};

/** Guards of a posted birth form, in the order in which none of them discards the input. */
export const guardBirthForm = (role: RequestHandler): readonly RequestHandler[] => [
  preserveInput,
  holdForOwner,
  role,
  refuseUnknownOwner,
];

/** All values and the seat of a posted form, for a page that preserves them. */
export const readTypedValues = (req: Request): Readonly<Record<string, string>> =>
  Object.fromEntries(
    listFormNames(req)
      .filter((name) => !BUTTONS.has(name))
      .map((name) => [name, readFormTexts(req, name).join('; ')] as const),
  );

/** Text of {@link ReviewAndResubmit}. */
export const SIGNED_OUT_WHILE_TYPING =
  'You were signed out. Nothing is saved yet, but everything you typed is here. Review it, then save it.';

/** Notice above a form with the token of an earlier session. */
export const ReviewAndResubmit = () => <Notice kind="warning">{SIGNED_OUT_WHILE_TYPING}</Notice>;
