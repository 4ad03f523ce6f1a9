import type { Request, RequestHandler, Response } from 'express';
import { CSRF_FIELD, hasCsrfToken } from '../../web/csrf.ts';
import { formNames, formTexts } from '../../web/form-body.ts';
import { type OpenedBy, openerOf } from '../../web/form-seat.ts';
import { OTHERS_FORM, othersForm, type PageProblem, unsaidForm } from '../../web/page-problem.ts';
import { signedInOf } from '../../web/signed-in-session.ts';
import { Notice } from '../frame/flash-messages.tsx';
import { sendPage } from '../frame/send-page.tsx';
import { OthersForm, SignedOutForm } from './asking-pages.tsx';

/** Whether a form comes from a page of the person who is signed in now: only that is kept or saved. */
export const isOwnForm = (req: Request, res: Response): boolean =>
  hasCsrfToken(req) && openerOf(req, res) === 'sender';

/**
 * Answers the form of someone else with a page that holds everything typed, for the person who began it:
 * the same browser had it before. It stands in front of the guard, which would say what the present
 * seat may do, and drop what another typed.
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

/** Refuses the form of someone else to the script that asks while it is filled in. */
export const refuseToOthers = refusing('another', othersForm);

/** Refuses a form that says neither who opened it nor the token of the session: its page is of an earlier release. */
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
 * Answers a form that comes after its session has ended with a page that holds everything typed.
 * Nothing of it is kept: its sender is not known.
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

/** Everything typed into a posted form, and whose it is, for a page that holds it meanwhile. */
export const typedIn = (req: Request): Readonly<Record<string, string>> =>
  Object.fromEntries(
    formNames(req)
      .filter((name) => !BUTTONS.has(name))
      .map((name) => [name, formTexts(req, name).join('; ')] as const),
  );

/** Said above it. */
export const SIGNED_OUT_MEANWHILE =
  'You were signed out meanwhile. Nothing was saved, and everything that you typed is here: look it over, then save it.';

/** Told above a form that comes with the token of an earlier session. */
export const SendAgain = () => <Notice kind="warning">{SIGNED_OUT_MEANWHILE}</Notice>;
