import type { OutcomeIssue } from '../http/operation-outcome.ts';

/**
 * Our choice: ends with the address of the receipt, because many FHIR clients expose only the body.
 * @param receiptAddress as in Content-Location
 */
export const queuedIssue = (receiptAddress: string): OutcomeIssue => ({
  severity: 'information',
  code: 'informational',
  diagnostics: `The Bundle is queued. Poll the address in Content-Location for its receipt: ${receiptAddress}`,
});

/** @param receiptAddress receipt of the first request */
export const replayedIssue = (receiptAddress: string): OutcomeIssue => ({
  severity: 'information',
  code: 'informational',
  diagnostics: `Nothing new was queued: this Idempotency-Key was used before at this practice. Use random keys. The first request has its receipt at ${receiptAddress}`,
});
