import type { OutcomeIssue } from '../http/operation-outcome.ts';

/**
 * Message of a 202. Our choice: it ends with the address of the receipt, because many FHIR clients
 * expose only the body.
 * @param receiptAddress as in Content-Location
 */
export const queuedIssue = (receiptAddress: string): OutcomeIssue => ({
  severity: 'information',
  code: 'informational',
  diagnostics: `The Bundle is queued. Poll the address in Content-Location for its receipt: ${receiptAddress}`,
});

/** Message of a 202 for a repeated Idempotency-Key. @param receiptAddress receipt of the first request */
export const replayedIssue = (receiptAddress: string): OutcomeIssue => ({
  severity: 'information',
  code: 'informational',
  diagnostics: `Nothing new was queued: this Idempotency-Key was used before at this practice. Use random keys. The first request has its receipt at ${receiptAddress}`,
});
