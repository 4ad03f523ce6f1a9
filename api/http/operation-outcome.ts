import type { ServerResponse } from 'node:http';

/** @see https://hl7.org/fhir/R4/operationoutcome.html */
export interface OutcomeIssue {
  readonly severity: 'error' | 'information';
  readonly code: string;
  readonly diagnostics: string;
  readonly expression?: readonly string[];
}

export type IssueSource = Required<Omit<OutcomeIssue, 'severity'>>;

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

/** Uses Node's response: Express takes longer, and the push lane answers thousands in a second. */
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
