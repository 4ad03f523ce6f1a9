import type { Request, RequestHandler } from 'express';
import { CSRF_FIELD } from '../../web/csrf.ts';
import { formNames, formTexts } from '../../web/form-body.ts';
import { signedInOf } from '../../web/signed-in-session.ts';
import { Notice } from '../frame/flash-messages.tsx';
import { sendPage } from '../frame/send-page.tsx';
import { SignedOutForm } from './asking-pages.tsx';

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

/** Told above a form that comes with the token of an earlier session. */
export const SendAgain = () => (
  <Notice kind="warning">
    You were signed out meanwhile. Nothing was saved, and everything that you typed is here: look it
    over, then save it.
  </Notice>
);
