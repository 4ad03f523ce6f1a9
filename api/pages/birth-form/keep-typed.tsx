import type { RequestHandler } from 'express';
import { CSRF_FIELD } from '../../web/csrf.ts';
import { formTexts } from '../../web/form-body.ts';
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
 * Nothing of it is kept: whoever sent it is nobody we know.
 */
export const keepTyped: RequestHandler = (req, res, next) => {
  if (signedInOf(res) !== null) {
    next();
    return;
  }
  const names = Object.keys((req.body ?? {}) as object).filter((name) => !BUTTONS.has(name));
  const carried = Object.fromEntries(
    names.map((name) => [name, formTexts(req, name).join('; ')] as const),
  );
  sendPage(
    req,
    res,
    {
      title: 'You are signed out',
      children: <SignedOutForm action={req.path} carried={carried} />,
    },
    401,
  );
};

/** Told above a form that comes with the token of an earlier session. */
export const SendAgain = () => (
  <Notice kind="warning">
    You were signed out meanwhile. Nothing was saved, and everything that you typed is here: look it
    over, then save it.
  </Notice>
);
