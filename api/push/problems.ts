import type { OutcomeIssue } from '../http/operation-outcome.ts';
import { RequestProblem } from '../http/request-problem.ts';
import { PROOF_RETRY_SECONDS } from '../transparency-log/prove-events.ts';

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

/** The key is missing, unknown, or revoked. @see spec "Authentication" */
export const keyNeeded = (): RequestProblem =>
  new RequestProblem(
    401,
    'login',
    'The API key is missing, unknown or revoked. Send a live one as Authorization: Bearer <API_KEY>.',
    [],
    { 'WWW-Authenticate': 'Bearer' },
  );

/** The key lacks the scope. @see spec "Authentication", scopes */
export const scopeMissing = (scope: string): RequestProblem =>
  new RequestProblem(
    403,
    'forbidden',
    `This API key does not carry the scope ${scope}. Use a key of the practice that does.`,
  );

/** The key is bound to addresses, and the request comes from another, which the response does not reveal. */
export const ipNotAllowed = (): RequestProblem =>
  new RequestProblem(
    403,
    'forbidden',
    'This API key may not be used from the address that the request comes from. Send the request from an allowed address, or ask the practice to allow this one.',
  );

/** The partner's contract does not permit its feed keys now. @see spec "Partner contract status" */
export const partnerGateClosed = (reason: string): RequestProblem =>
  new RequestProblem(403, 'forbidden', reason);

/** Clients often POST Bundles to the FHIR base, where FHIR expects transactions. */
export const nothingAtBase = (): RequestProblem =>
  new RequestProblem(
    404,
    'not-found',
    'Nothing is taken at the FHIR base, transactions and batches neither. POST the Bundle to /api/registry/fhir/Bundle.',
  );

/** The practice has no such ingestion. The response does not reveal if another practice has it. */
export const noSuchIngestion = (): RequestProblem =>
  new RequestProblem(
    404,
    'not-found',
    'Your practice has no ingestion with this id. Poll the address in Content-Location, with a key of the practice that submitted.',
  );

/** No signed checkpoint covers the end of the ingestion yet. */
export const noProofYet = (): RequestProblem =>
  new RequestProblem(
    404,
    'not-found',
    'There is no proof of this receipt yet: it is made within a minute after the ingestion has ended. Ask again after the seconds in Retry-After.',
    [],
    { 'Retry-After': String(PROOF_RETRY_SECONDS) },
  );

/** The queue has reached its configured limits. @param retryAfterSeconds time until the client should retry */
export const queueFull = (retryAfterSeconds: number): RequestProblem =>
  new RequestProblem(
    503,
    'transient',
    `The queue is full, and nothing of this Bundle was taken. Send it again in ${retryAfterSeconds} s.`,
    [],
    { 'Retry-After': String(retryAfterSeconds) },
  );

/** The practice has used up its share of the queue. @param retryAfterSeconds time until the client should retry */
export const practiceShareUsed = (retryAfterSeconds: number): RequestProblem =>
  new RequestProblem(
    503,
    'transient',
    `Your practice has used up its share of the queue, and nothing of this Bundle was taken. Send it again in ${retryAfterSeconds} s.`,
    [],
    { 'Retry-After': String(retryAfterSeconds) },
  );
