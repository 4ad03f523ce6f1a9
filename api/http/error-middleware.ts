import type { ServerResponse } from 'node:http';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { sendOutcome, toIssue } from './operation-outcome.ts';
import { methodNotSupported, REQUEST_PROBLEMS } from './problems.ts';
import { RequestProblem } from './request-problem.ts';

/** Called for faults that became a 5xx; must not log messages of parsers or of Postgres. */
export type ReportFault = (error: unknown, correlationId: string) => void;

/** Aborts a response that has begun. */
export type AnswerFault = (error: unknown, res: ServerResponse, correlationId: string) => void;

/** @see AnswerFault */
export const createAnswerFault =
  (isOutage: (error: unknown) => boolean, report: ReportFault): AnswerFault =>
  (error, res, correlationId) => {
    const problem = toProblem(error, isOutage);
    if (problem.status >= 500) report(error, correlationId);
    if (res.headersSent) {
      // Half an answer cannot be undone, and must not look complete. Express would destroy it
      // too, but write the error to the console, with everything that Postgres says.
      if (!res.writableEnded) res.destroy();
      return;
    }
    for (const [name, value] of Object.entries(problem.headers)) res.setHeader(name, value);
    sendOutcome(res, problem.status, toIssue(problem));
  };

export const errorMiddleware =
  (answerFault: AnswerFault): ErrorRequestHandler =>
  // Express recognizes error handlers by their fourth parameter.
  (error: unknown, _req, res, _next) => {
    answerFault(error, res, String(res.locals['correlationId']));
  };

const toProblem = (error: unknown, isOutage: (error: unknown) => boolean): RequestProblem => {
  if (error instanceof RequestProblem) return error;
  if (isOutage(error)) return new RequestProblem(REQUEST_PROBLEMS.unavailable);
  // Express and its router reject some paths themselves, with a status on the error.
  const status = (error as { status?: unknown } | null)?.status;
  if (typeof status === 'number' && status >= 400 && status < 500)
    return new RequestProblem({ ...REQUEST_PROBLEMS['malformed-address'], status });
  return new RequestProblem(REQUEST_PROBLEMS['internal-fault']);
};

export const notFound: RequestHandler = () => {
  throw new RequestProblem(REQUEST_PROBLEMS['nothing-here']);
};

/** @param methods as in the header Allow */
export const allowOnly =
  (methods: string): RequestHandler =>
  () => {
    throw new RequestProblem(methodNotSupported(methods));
  };
