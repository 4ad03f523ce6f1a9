import type { Response } from 'express';

/** One issue of an OperationOutcome. @see https://hl7.org/fhir/R4/operationoutcome.html */
export interface OutcomeIssue {
  readonly severity: 'error' | 'information';
  readonly code: string;
  readonly diagnostics: string;
  readonly expression?: readonly string[];
}

/** The issue that tells a caller of a problem. */
export const issueOf = (problem: {
  readonly code: string;
  readonly diagnostics: string;
  readonly expression: readonly string[];
}): OutcomeIssue => ({
  severity: 'error',
  code: problem.code,
  diagnostics: problem.diagnostics,
  ...(problem.expression.length > 0 ? { expression: problem.expression } : {}),
});

/** An OperationOutcome of one issue. */
export const outcomeOf = (issue: OutcomeIssue) => ({
  resourceType: 'OperationOutcome' as const,
  issue: [issue],
});

/** Sends an OperationOutcome as `application/fhir+json`. */
export const sendOutcome = (res: Response, status: number, issue: OutcomeIssue): void => {
  res
    .status(status)
    .type('application/fhir+json')
    .send(JSON.stringify(outcomeOf(issue)));
};
