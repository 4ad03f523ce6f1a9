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

/** Shows any error of a page's route as an error page. */
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
      // The page was already sent; only saving its session failed.
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

/** Ids and versions are hidden fields, not typed. */
const wasTyped = ({ name, value }: KeptField): boolean =>
  value.trim() !== '' && !isUuid(value) && name !== 'version';

interface OnceMoreProps {
  readonly fields: readonly KeptField[];
  readonly to: string;
  readonly who: SignedIn;
}

/** Names the account that sends a form again. */
export const describeSender = (who: NamedPerson): string =>
  `It goes out as ${displayNameWithEmail(who)}, who is signed in now.`;

/** Form to be resent by the account that opened it. */
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

/** Methods of the pages in the OpenAPI contract. */
const METHODS_OF_LISTED_PAGES: ReadonlyMap<string, string> = new Map([
  ['/registry/capture/prefill', 'GET, HEAD, POST'],
  ['/registry/integrations', 'GET, HEAD'],
]);

/** The address has no page, or none for the method. */
export const noSuchPage: RequestHandler = (req) => {
  const methods = METHODS_OF_LISTED_PAGES.get(req.path);
  throw methods === undefined ? pageNotFound() : pageTakesOnly(methods);
};

/** Address of the sign-in that returns to the form's page. */
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
  // Express and the body parser set a status on their own errors.
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status < 500 ? ofStatus(status, who) : unexpectedFault();
};

/** Input from before a new sign-in is only shown to the person who typed it. */
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
