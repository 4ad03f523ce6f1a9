import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { createAnswerFault, errorMiddleware, type ReportFault } from '../http/error-middleware.ts';
import { REQUEST_PROBLEMS } from '../http/problems.ts';
import { RequestProblem } from '../http/request-problem.ts';
import { PageProblem } from '../web/page-problem.ts';
import { LaunchProblem } from './launch-problem.ts';

/** Browsers get a page, programs an OperationOutcome. */
export const wantsPage = (req: Pick<Request, 'headers'>): boolean =>
  /\btext\/html\b/i.test(req.headers.accept ?? '');

/** Answers errors of a launch with an OperationOutcome, or passes them on to become a page. */
export const smartErrors = (
  isOutage: (error: unknown) => boolean,
  report: ReportFault,
): ErrorRequestHandler => {
  const asOutcome = errorMiddleware(createAnswerFault(isOutage, report));
  return (error: unknown, req, res, next) => {
    if (wantsPage(req)) next(error instanceof LaunchProblem ? error.asPage() : error);
    else asOutcome(toRequestProblem(error), req, res, next);
  };
};

const toRequestProblem = (error: unknown): unknown => {
  if (!(error instanceof PageProblem)) return error;
  return new RequestProblem(
    error.status === 503
      ? REQUEST_PROBLEMS.starting
      : { ...REQUEST_PROBLEMS['malformed-address'], status: error.status },
  );
};

export const noSuchLaunchPath: RequestHandler = () => {
  throw new RequestProblem(REQUEST_PROBLEMS['nothing-here']);
};
