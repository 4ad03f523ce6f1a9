import type { ServerResponse } from 'node:http';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { sendOutcome, toIssue } from './operation-outcome.ts';
import {
  internalFault,
  malformed,
  methodNotSupported,
  nothingHere,
  RequestProblem,
  unavailable,
} from './request-problem.ts';

/** Called for faults that became a 5xx; must not log messages of parsers or of Postgres. */
export type ReportFault = (error: unknown, correlationId: string) => void;

/**
 * Answers for what went wrong with a request: one OperationOutcome, and a report of a fault. An
 * answer that has begun is cut off.
 */
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

/** Turns whatever a route throws into one OperationOutcome. */
export const errorMiddleware =
  (answerFault: AnswerFault): ErrorRequestHandler =>
  // Express knows by the fourth parameter that it is for errors.
  (error: unknown, _req, res, _next) => {
    answerFault(error, res, String(res.locals['correlationId']));
  };

const toProblem = (error: unknown, isOutage: (error: unknown) => boolean): RequestProblem => {
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

/** Answers 405 at an address whose other methods were taken before. @param methods as in the header Allow */
export const allowOnly =
  (methods: string): RequestHandler =>
  () => {
    throw methodNotSupported(methods);
  };
