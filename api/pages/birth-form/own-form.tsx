import type { Request, RequestHandler, Response } from 'express';
import { hasCsrfToken } from '../../web/csrf.ts';
import { formText } from '../../web/form-body.ts';
import { type OpenedBy, openedBy, SEAT_FIELD, SEAT_HEADER } from '../../web/form-seat.ts';
import { PageProblem } from '../../web/page-problem.ts';
import { signedInOf } from '../../web/signed-in-session.ts';
import { sendPage } from '../frame/send-page.tsx';
import { OthersForm } from './asking-pages.tsx';
import { typedIn } from './keep-typed.tsx';

/** Who opened a form that is posted, or whose script asks without sending it. */
export const openerOf = (req: Request, res: Response): OpenedBy =>
  openedBy(req.get(SEAT_HEADER) ?? formText(req, SEAT_FIELD), signedInOf(res));

/** Whether a form comes from the page of whoever is signed in now: only that is kept or saved. */
export const isOwnForm = (req: Request, res: Response): boolean =>
  hasCsrfToken(req) && openerOf(req, res) === 'sender';

/**
 * Answers the form of somebody else with a page that holds everything typed, for whoever began it:
 * the same browser had it before. It stands in front of the guard, which would say what the present
 * seat may do, and let go of what another typed.
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
      title: 'This form was opened by somebody else',
      children: <OthersForm action={req.path} carried={typedIn(req)} who={who} />,
    },
    409,
  );
};

/** Somebody else is signed in than whoever opened the form. */
const othersForm = (): PageProblem =>
  new PageProblem(
    409,
    'This form was opened by somebody else',
    'Nothing was kept of it. Whoever opened it signs in again as themselves in a new tab, then comes back to it and goes on.',
  );

/** Nobody knows who opened the form. */
const unsaidForm = (): PageProblem =>
  new PageProblem(
    409,
    'Open this form again',
    'Nothing was saved. The page of the form is older than the registry is by now, and does not say who opened it. Open the form again: what was kept while it was filled in is offered there.',
  );

const refusing =
  (refused: OpenedBy, problem: () => PageProblem): RequestHandler =>
  (req, res, next) => {
    if (signedInOf(res) !== null && openerOf(req, res) === refused) throw problem();
    next();
  };

/** Refuses the form of somebody else to the script that asks while it is filled in. */
export const refuseToOthers = refusing('another', othersForm);

/** Refuses a form that does not say who opened it: its page is from before pages said so. */
export const refuseUnsaid = refusing('unsaid', unsaidForm);
