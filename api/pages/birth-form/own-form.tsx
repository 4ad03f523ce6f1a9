import type { Request, RequestHandler, Response } from 'express';
import { CSRF_FIELD, hasCsrfToken } from '../../web/csrf.ts';
import { formNames, formTexts } from '../../web/form-body.ts';
import { type OpenedBy, openerOf } from '../../web/form-seat.ts';
import { OTHERS_FORM, othersForm, type PageProblem, unsaidForm } from '../../web/page-problem.ts';
import { signedInOf } from '../../web/signed-in-session.ts';
import { Notice } from '../frame/flash-messages.tsx';
import { sendPage } from '../frame/send-page.tsx';
import { OthersForm, SignedOutForm } from './asking-pages.tsx';

/** True if the signed-in person opened the form themselves: only then is it stored. */
export const isOwnForm = (req: Request, res: Response): boolean =>
  hasCsrfToken(req) && openerOf(req, res) === 'sender';

/**
 * Answers another person's form with a page that contains all its values, for the person who opened
 * it in the same browser. It must precede the guard, which would judge the current seat and discard
 * the input.
 */
export const holdForItsOwner: RequestHandler = (req, res, next) => {
  const who = signedInOf(res);
  if (who === null || openerOf(req, res) !== 'another') {
    next();
    return;
  }
  sendPage(
    req,
    res,
    {
      title: OTHERS_FORM,
      children: <OthersForm action={req.path} carried={typedIn(req)} who={who} />,
    },
    409,
  );
};

const refusing =
  (refused: OpenedBy, problem: () => PageProblem): RequestHandler =>
  (req, res, next) => {
    if (signedInOf(res) !== null && openerOf(req, res) === refused) throw problem();
    next();
  };

/** Refuses the script of a form that another person opened. */
export const refuseToOthers = refusing('another', othersForm);

/**
 * Refuses a form with neither a seat nor the session's token: its page is from an older release.
 */
export const refuseUnsaid = refusing('unsaid', unsaidForm);

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
export const keepTyped: RequestHandler = (req, res, next) => {
  if (signedInOf(res) !== null) {
    next();
    return;
  }
  sendPage(
    req,
    res,
    {
      title: 'You are signed out',
      children: <SignedOutForm action={req.path} carried={typedIn(req)} />,
    },
    401,
  );
};

/** All values and the seat of a posted form, for a page that preserves them. */
export const typedIn = (req: Request): Readonly<Record<string, string>> =>
  Object.fromEntries(
    formNames(req)
      .filter((name) => !BUTTONS.has(name))
      .map((name) => [name, formTexts(req, name).join('; ')] as const),
  );

/** Text of {@link SendAgain}. */
export const SIGNED_OUT_MEANWHILE =
  'You were signed out meanwhile. Nothing was saved, and everything that you typed is here: look it over, then save it.';

/** Notice above a form with the token of an earlier session. */
export const SendAgain = () => <Notice kind="warning">{SIGNED_OUT_MEANWHILE}</Notice>;
