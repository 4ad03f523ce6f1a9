import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { ReportFault } from '../../http/error-middleware.ts';
import { RequestProblem } from '../../http/request-problem.ts';
import {
  PageProblem,
  pageForbidden,
  pageNotFound,
  registryAway,
  signedOut,
  unexpectedFault,
  unreadableForm,
} from '../../web/page-problem.ts';
import { signedInOf } from '../../web/signed-in-session.ts';
import { homeOf } from './places.ts';
import { sendPage } from './send-page.tsx';

/** Turns whatever the route of a page throws into one error page. */
export const pageErrors = (
  isOutage: (error: unknown) => boolean,
  report: ReportFault,
): ErrorRequestHandler => {
  return (error: unknown, req, res, next) => {
    const problem = problemOf(error, isOutage);
    const reference = String(res.locals['correlationId']);
    if (problem.status >= 500) report(error, reference);
    if (res.headersSent) {
      // The page has gone out already: only its session could not be kept.
      res.end();
      return;
    }
    const who = signedInOf(res);
    const way = who === null ? '/sign-in' : homeOf(who);
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
              <p>
                <a href={way}>{who === null ? 'Sign in' : 'Go to the first page'}</a>
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

/** No page is mounted here. */
export const noSuchPage: RequestHandler = () => {
  throw pageNotFound();
};

const problemOf = (error: unknown, isOutage: (error: unknown) => boolean): PageProblem => {
  if (error instanceof PageProblem) return error;
  if (isOutage(error)) return registryAway();
  if (error instanceof RequestProblem) return ofStatus(error.status);
  // Express and the reader of forms refuse some requests by themselves, with a status on the error.
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status < 500 ? ofStatus(status) : unexpectedFault();
};

const ofStatus = (status: number): PageProblem => {
  if (status === 401) return signedOut();
  if (status === 403) return pageForbidden();
  if (status === 404 || status === 405) return pageNotFound();
  if (status === 503) return registryAway();
  if (status >= 500) return unexpectedFault();
  return unreadableForm(status === 413 ? 413 : 400);
};
