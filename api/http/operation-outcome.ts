import type { ServerResponse } from 'node:http';

/** One issue of an OperationOutcome. @see https://hl7.org/fhir/R4/operationoutcome.html */
export interface OutcomeIssue {
  readonly severity: 'error' | 'information';
  readonly code: string;
  readonly diagnostics: string;
  readonly expression?: readonly string[];
}

/** Fields of a problem that its issue is built from. */
export type IssueSource = Required<Omit<OutcomeIssue, 'severity'>>;

/** Builds the issue that informs a caller about a problem. */
export const toIssue = (problem: IssueSource): OutcomeIssue => ({
  severity: 'error',
  code: problem.code,
  diagnostics: problem.diagnostics,
  ...(problem.expression.length > 0 ? { expression: problem.expression } : {}),
});

export const toOutcome = (issue: OutcomeIssue) => ({
  resourceType: 'OperationOutcome' as const,
  issue: [issue],
});

export const sendOutcome = (res: ServerResponse, status: number, issue: OutcomeIssue): void =>
  sendJson(res, status, 'application/fhir+json', toOutcome(issue));

/**
 * Ends a response with JSON on Node's response itself: Express takes longer for the same bytes, and
 * the push lane answers thousands of requests in a second.
 */
export const sendJson = (
  res: ServerResponse,
  status: number,
  mediaType: string,
  content: unknown,
): void => {
  const body = Buffer.from(JSON.stringify(content));
  res.statusCode = status;
  res.setHeader('Content-Type', `${mediaType}; charset=utf-8`);
  res.setHeader('Content-Length', body.length);
  res.end(body);
};
