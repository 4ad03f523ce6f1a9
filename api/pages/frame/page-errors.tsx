import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { isUuid } from '../../../domain/text-input.ts';
import { displayNameWithEmail, type NamedPerson } from '../../../projections/lists/people-names.ts';
import type { SignedIn } from '../../access/signed-in.ts';
import type { ReportFault } from '../../http/error-middleware.ts';
import { RequestProblem } from '../../http/request-problem.ts';
import { openerOf } from '../../web/form-seat.ts';
import { pageBefore, signInFor } from '../../web/next-page.ts';
import {
  EarlierForm,
  othersForm,
  PageProblem,
  pageForbidden,
  pageNotFound,
  pageTakesOnly,
  registryAway,
  signedOut,
  unexpectedFault,
  unreadableForm,
  unsaidForm,
} from '../../web/page-problem.ts';
import { isReading } from '../../web/same-origin.ts';
import { signedInOf } from '../../web/signed-in-session.ts';
import { Form } from './form.tsx';
import { type KeptField, KeptFields, keptFieldsOf } from './kept-fields.tsx';
import { homeOf } from './places.ts';
import { sendPage } from './send-page.tsx';

/** Turns whatever the route of a page throws into one error page. */
export const pageErrors = (
  isOutage: (error: unknown) => boolean,
  report: ReportFault,
): ErrorRequestHandler => {
  return (error: unknown, req, res, next) => {
    const who = signedInOf(res);
    const problem = forItsOpener(problemOf(error, isOutage, who), req, res);
    const reference = String(res.locals['correlationId']);
    if (problem.status >= 500) report(error, reference);
    if (res.headersSent) {
      // The page has gone out already: only its session could not be kept.
      res.end();
      return;
    }
    const way = who === null ? signInFrom(req) : homeOf(who);
    res.set(problem.headers);
    try {
      sendPage(
        req,
        res,
        {
          title: problem.heading,
          children: (
            <>
              <p>{problem.text}</p>
              {problem.status >= 500 && <p>Reference: {reference}</p>}
              {problem instanceof EarlierForm && who !== null && (
                <OnceMore fields={keptFieldsOf(req)} to={req.originalUrl} who={who} />
              )}
              <p>
                <a href={way}>{who === null ? 'Sign in' : 'Go to Home'}</a>
              </p>
            </>
          ),
        },
        problem.status,
      );
    } catch (failure) {
      next(failure);
    }
  };
};

/** Ids and the version that was looked at stand in a form unseen. */
const wasTyped = ({ name, value }: KeptField): boolean =>
  value.trim() !== '' && !isUuid(value) && name !== 'version';

interface OnceMoreProps {
  readonly fields: readonly KeptField[];
  readonly to: string;
  readonly who: SignedIn;
}

/** Says as whom a form is sent once more. */
export const describeSender = (who: NamedPerson): string =>
  `It goes out as ${displayNameWithEmail(who)}, who is signed in now.`;

/** The form that came, to be sent again by the account that opened it. */
const OnceMore = ({ fields, to, who }: OnceMoreProps) => (
  <Form action={to} class="margin-bottom-2">
    <KeptFields fields={fields} />
    <ul class="usa-list">
      {fields.filter(wasTyped).map(({ value }) => (
        <li>{value}</li>
      ))}
    </ul>
    <p>{describeSender(who)}</p>
    <button type="submit" class="usa-button">
      Send it once more
    </button>
  </Form>
);

/** The pages that the contract lists, with what they take. */
const METHODS_OF_LISTED_PAGES: ReadonlyMap<string, string> = new Map([
  ['/registry/capture/prefill', 'GET, HEAD, POST'],
  ['/registry/integrations', 'GET, HEAD'],
]);

/** No page is mounted here, or none for the method. */
export const noSuchPage: RequestHandler = (req) => {
  const methods = METHODS_OF_LISTED_PAGES.get(req.path);
  throw methods === undefined ? pageNotFound() : pageTakesOnly(methods);
};

/** Address of the sign-in, which leads back to the page that a form was on. */
const signInFrom = (req: Request): string => {
  const page = isReading(req) ? null : pageBefore(req);
  return page === null ? '/sign-in' : signInFor(page);
};

const problemOf = (
  error: unknown,
  isOutage: (error: unknown) => boolean,
  who: SignedIn | null,
): PageProblem => {
  if (error instanceof PageProblem) return error;
  if (isOutage(error)) return registryAway();
  if (error instanceof RequestProblem) return ofStatus(error.status, who);
  // Express and the reader of forms refuse some requests by themselves, with a status on the error.
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status < 500 ? ofStatus(status, who) : unexpectedFault();
};

/** What a person typed before signing in again is shown only to that person. */
const forItsOpener = (problem: PageProblem, req: Request, res: Response): PageProblem => {
  if (!(problem instanceof EarlierForm)) return problem;
  switch (openerOf(req, res)) {
    case 'sender':
      return problem;
    case 'unsaid':
      return unsaidForm();
    case 'another':
    case 'nobody':
      return othersForm();
  }
};

const ofStatus = (status: number, who: SignedIn | null): PageProblem => {
  if (status === 401) return signedOut();
  if (status === 403) return pageForbidden(who);
  if (status === 404 || status === 405) return pageNotFound();
  if (status === 503) return registryAway();
  if (status >= 500) return unexpectedFault();
  return unreadableForm(status === 413 ? 413 : 400);
};
