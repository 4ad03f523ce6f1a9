import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import type { SignedIn } from '../../access/signed-in.ts';
import type { ReportFault } from '../../http/error-middleware.ts';
import { RequestProblem } from '../../http/request-problem.ts';
import { PasswordsBusy } from '../../ports/app-ports.ts';
import { buildSignInPath, getPageBefore } from '../../web/next-page.ts';
import {
  PageProblem,
  pageAllowsOnly,
  pageForbidden,
  pageNotFound,
  passwordsBusy,
  serviceUnavailable,
  signedOut,
  unexpectedFault,
  unreadableForm,
} from '../../web/page-problem.ts';
import { isSafeMethod } from '../../web/same-origin.ts';
import { getSignedIn } from '../../web/session/signed-in-session.ts';
import { getHomePath } from './navigation.ts';
import { sendPage } from './send-page.tsx';

export const createPageErrorHandler = (
  isOutage: (error: unknown) => boolean,
  report: ReportFault,
): ErrorRequestHandler => {
  return (error: unknown, req, res, next) => {
    const who = getSignedIn(res);
    const problem = toPageProblem(error, isOutage, who);
    const reference = String(res.locals['correlationId']);
    if (problem.status >= 500) report(problem.isExpected ? problem : error, reference);
    if (res.headersSent) {
      // The page was already sent; only saving its session failed.
      res.end();
      return;
    }
    const way = who === null ? buildSignInLink(req) : getHomePath(who);
    // A form that was only too early is sent again from its page.
    const before =
      who !== null && problem.isExpected && !isSafeMethod(req) ? getPageBefore(req) : null;
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
              {problem.status >= 500 && !problem.isExpected && <p>Reference: {reference}</p>}
              {before !== null && (
                <p>
                  <a href={before}>Go back</a>
                </p>
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

/** Methods of the pages in the OpenAPI contract. */
const METHODS_OF_LISTED_PAGES: ReadonlyMap<string, string> = new Map([
  ['/registry/capture/prefill', 'GET, HEAD, POST'],
  ['/registry/integrations', 'GET, HEAD'],
]);

export const refuseUnknownPage: RequestHandler = (req) => {
  const methods = METHODS_OF_LISTED_PAGES.get(req.path);
  throw methods === undefined ? pageNotFound() : pageAllowsOnly(methods);
};

/** Address of the sign-in that returns to the form's page. */
const buildSignInLink = (req: Request): string => {
  const page = isSafeMethod(req) ? null : getPageBefore(req);
  return page === null ? '/sign-in' : buildSignInPath(page);
};

const toPageProblem = (
  error: unknown,
  isOutage: (error: unknown) => boolean,
  who: SignedIn | null,
): PageProblem => {
  if (error instanceof PageProblem) return error;
  if (isOutage(error)) return serviceUnavailable();
  if (error instanceof PasswordsBusy) return passwordsBusy();
  if (error instanceof RequestProblem) return toStatusProblem(error.status, who);
  // Express and the body parser set a status on their own errors.
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status < 500
    ? toStatusProblem(status, who)
    : unexpectedFault();
};

const toStatusProblem = (status: number, who: SignedIn | null): PageProblem => {
  if (status === 401) return signedOut();
  if (status === 403) return pageForbidden(who);
  if (status === 404 || status === 405) return pageNotFound();
  if (status === 503) return serviceUnavailable();
  if (status >= 500) return unexpectedFault();
  return unreadableForm(status === 413 ? 413 : 400);
};
