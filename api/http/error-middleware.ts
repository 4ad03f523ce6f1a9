import type { ErrorRequestHandler, RequestHandler } from 'express';
import { issueOf, sendOutcome } from './operation-outcome.ts';
import {
  internalFault,
  malformed,
  nothingHere,
  RequestProblem,
  unavailable,
} from './request-problem.ts';

/** Told of faults that became a 5xx; must not log messages of parsers or of Postgres. */
export type ReportFault = (error: unknown, correlationId: string) => void;

/** Turns whatever a route throws into one OperationOutcome. */
export const errorMiddleware = (
  isOutage: (error: unknown) => boolean,
  report: ReportFault,
): ErrorRequestHandler => {
  return (error: unknown, _req, res, next) => {
    if (res.headersSent) {
      next(error);
      return;
    }
    const problem = problemOf(error, isOutage);
    if (problem.status >= 500) report(error, String(res.locals['correlationId']));
    res.set(problem.headers);
    sendOutcome(res, problem.status, issueOf(problem));
  };
};

const problemOf = (error: unknown, isOutage: (error: unknown) => boolean): RequestProblem => {
  if (error instanceof RequestProblem) return error;
  if (isOutage(error)) return unavailable();
  // Express and its router refuse some paths by themselves, with a status on the error.
  const status = (error as { status?: unknown } | null)?.status;
  if (typeof status === 'number' && status >= 400 && status < 500) return malformed(status);
  return internalFault();
};

/** Nothing is mounted here. */
export const notFound: RequestHandler = () => {
  throw nothingHere();
};
