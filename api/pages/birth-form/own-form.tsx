import type { Request, RequestHandler, Response } from 'express';
import { hasCsrfToken } from '../../web/csrf.ts';
import { type OpenedBy, openerOf } from '../../web/form-seat.ts';
import { OTHERS_FORM, othersForm, type PageProblem, unsaidForm } from '../../web/page-problem.ts';
import { signedInOf } from '../../web/signed-in-session.ts';
import { sendPage } from '../frame/send-page.tsx';
import { OthersForm } from './asking-pages.tsx';
import { typedIn } from './keep-typed.tsx';

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
