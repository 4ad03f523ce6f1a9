import type { Response } from 'express';

/** One issue of an OperationOutcome. @see https://hl7.org/fhir/R4/operationoutcome.html */
export interface OutcomeIssue {
  readonly severity: 'error' | 'information';
  readonly code: string;
  readonly diagnostics: string;
  readonly expression?: readonly string[];
}

/** Sends an OperationOutcome as `application/fhir+json`. */
export const sendOutcome = (res: Response, status: number, issue: OutcomeIssue): void => {
  res
    .status(status)
    .type('application/fhir+json')
    .send(JSON.stringify({ resourceType: 'OperationOutcome', issue: [issue] }));
};
