import type { Scope } from '../../domain/api-key/events.ts';
import { checkGate } from '../../domain/partner/gate.ts';
import {
  MAX_BODY_BYTES,
  MAX_BODY_MIB,
  MAX_NESTING,
  MAX_VALUES,
  USUAL_REQUESTS_PER_MINUTE,
} from './limits.ts';
import {
  bearer,
  buildPoll,
  buildSubmission,
  EXAMPLE_INGESTION,
  EXAMPLE_KEYS,
  type RequestExample,
} from './request-example.ts';
import type { ProblemSource } from './request-problem.ts';

export interface Problem<Code extends string | null = string>
  extends Required<Omit<ProblemSource, 'code'>> {
  /** `null` if the body is no OperationOutcome. */
  readonly code: Code;
  readonly happens: string;
  readonly remedy: string;
  readonly failing: RequestExample;
  /** A plain submission unless given. */
  readonly fixed: RequestExample;
}

const declareProblem = <Code extends string | null>(
  problem: Omit<Problem<Code>, 'expression' | 'headers' | 'fixed'> &
    Partial<Pick<Problem, 'expression' | 'headers' | 'fixed'>>,
): Problem<Code> => ({ expression: [], headers: {}, fixed: buildSubmission(), ...problem });

/** Seconds until a retry may find a proof. Checkpoints are signed at least once a minute. */
export const PROOF_RETRY_SECONDS = 10;

const BUSY_RETRY_SECONDS = 10;
const ONE_MEBIBYTE = 1024 * 1024;

const INVALID_BODY = {
  status: 400,
  code: 'structure',
  expression: ['Bundle.resourceType'],
} as const;

export const scopeMissing = (scope: Scope): ProblemSource => ({
  status: 403,
  code: 'forbidden',
  diagnostics: `This API key does not carry the scope ${scope}. Use a key of the practice that does.`,
});

/** @see spec "Partner contract status" */
export const partnerGateClosed = (reason: string): ProblemSource => ({
  status: 403,
  code: 'forbidden',
  diagnostics: reason,
});

const declareClosedGate = (
  beta: boolean,
  contract: 'Pending' | 'Suspended' | 'Active',
  advice: Pick<Problem, 'happens' | 'remedy'>,
): Problem => {
  const partner = { status: 'known', partnerId: 'maple', name: 'Maple EHR' } as const;
  const gate = checkGate({ ...partner, beta, contract });
  return declareProblem({
    ...partnerGateClosed(gate.kind === 'closed' ? gate.reason : ''),
    ...advice,
    failing: buildSubmission({}, bearer(EXAMPLE_KEYS.partner)),
  });
};

/** @param methods as in the header Allow */
export const methodNotSupported = (methods: string): ProblemSource => ({
  status: 405,
  code: 'not-supported',
  diagnostics: `This address does not support the method of the request. It takes ${methods}.`,
  headers: { Allow: methods },
});

const declareNoRoom =
  (why: string) =>
  (seconds: number): ProblemSource => ({
    status: 503,
    code: 'transient',
    diagnostics: `${why}, and nothing of this Bundle was taken. Send it again in ${seconds} s.`,
    headers: { 'Retry-After': String(seconds) },
  });

export const queueFull = declareNoRoom('The queue is full');

export const practiceShareUsed = declareNoRoom('Your practice has used up its share of the queue');

/** In order of status. The contract and the page are built from these rows. @see spec "Errors" */
export const REQUEST_PROBLEMS = {
  'not-json': declareProblem({
    ...INVALID_BODY,
    diagnostics: 'The body is not JSON. Send the Bundle as JSON in UTF-8.',
    happens:
      'The body is empty, cut off, XML, not in UTF-8, or not JSON for another reason. The Content-Type does not matter.',
    remedy: 'Send the Bundle as JSON in UTF-8.',
    failing: buildSubmission({ body: '<Bundle xmlns="http://hl7.org/fhir"/>' }),
  }),
  'not-a-bundle': declareProblem({
    ...INVALID_BODY,
    diagnostics: 'The body is not a FHIR Bundle. Send a JSON object whose resourceType is Bundle.',
    happens:
      'The body is JSON, but not an object with the resourceType Bundle: it is a single resource, or an array of Bundles.',
    remedy: 'Wrap the resources into a Bundle. Several births go into a Bundle of Bundles.',
    failing: buildSubmission({ body: '{"resourceType":"Patient"}' }),
  }),
  'nested-too-deep': declareProblem({
    ...INVALID_BODY,
    diagnostics: `The body is nested deeper than ${MAX_NESTING} levels. Look for a loop in what builds the Bundle.`,
    happens: `Objects and arrays of the body are nested deeper than ${MAX_NESTING} levels, which no FHIR resource needs.`,
    remedy: 'Look for a loop in what builds the Bundle.',
    failing: buildSubmission({
      body: '{"resourceType":"Bundle","entry":[[[[',
      whole: {
        note: `and so on, ${MAX_NESTING} levels`,
        body: () =>
          `{"resourceType":"Bundle","entry":${'['.repeat(MAX_NESTING)}${']'.repeat(MAX_NESTING)}}`,
      },
    }),
  }),
  'name-twice-in-body': declareProblem({
    ...INVALID_BODY,
    // The object may be anywhere in it.
    expression: ['Bundle'],
    diagnostics:
      'An object of the body has the same property name twice, so one of the two values would be lost. Send each name once.',
    happens:
      'An object of the body has the same property name twice, which FHIR does not allow: a reader keeps one of the two values. In a batch, only the record that has it is rejected.',
    remedy: 'Send each name once. Of several values, send an array where FHIR allows one.',
    failing: buildSubmission({
      body: '{"resourceType":"Bundle","type":"document","type":"collection"}',
    }),
  }),
  'not-gzip': declareProblem({
    ...INVALID_BODY,
    diagnostics:
      'The body is not gzip, or it is damaged. Compress it again, or send it without Content-Encoding.',
    happens: 'Content-Encoding says gzip, but the body is not, or it is damaged.',
    remedy: 'Compress the body, or leave the header out.',
    failing: buildSubmission({}, { 'Content-Encoding': 'gzip' }),
  }),
  'encoding-not-supported': declareProblem({
    ...INVALID_BODY,
    diagnostics: 'The Content-Encoding is not supported. Send the body as it is, or with gzip.',
    happens: 'The body has another Content-Encoding than gzip.',
    remedy: 'Send it with gzip, or as it is.',
    failing: buildSubmission({}, { 'Content-Encoding': 'br' }),
  }),
  'body-ended-early': declareProblem({
    ...INVALID_BODY,
    diagnostics:
      'The body ends early. Send the request again, with the same Idempotency-Key if it has one.',
    happens: 'The connection broke before the whole body had arrived.',
    remedy: 'Send the request again, with the same Idempotency-Key if it had one.',
    failing: buildSubmission({ while: 'the connection breaks' }),
  }),
  'malformed-address': declareProblem({
    status: 400,
    code: 'invalid',
    diagnostics:
      'The request cannot be read. Check its address and its headers, then send it again.',
    happens:
      'The address cannot be decoded: a percent sign is not followed by two hexadecimal digits.',
    remedy: 'Take the address from Content-Location as it is.',
    failing: buildPoll(EXAMPLE_KEYS.writeAndRead, '/api/registry/fhir/ingestions/%ZZ'),
    fixed: buildPoll(),
  }),
  'key-needed': declareProblem({
    status: 401,
    code: 'login',
    diagnostics:
      'The API key is missing, unknown or revoked. Send a live one as Authorization: Bearer <API_KEY>.',
    headers: { 'WWW-Authenticate': 'Bearer' },
    happens:
      'The request has no API key, or one that is unknown, revoked, or expired. The answer has the header WWW-Authenticate: Bearer.',
    remedy:
      'Send Authorization: Bearer, a space and the key as it was shown when it was minted. A lost key cannot be shown again: a practice Admin mints a new one.',
    failing: buildSubmission({}, bearer(EXAMPLE_KEYS.revoked)),
  }),
  'scope-missing-write': declareProblem({
    ...scopeMissing('ingest:write'),
    happens: 'The key is valid, but may not submit.',
    remedy: 'Use a key with the scope ingest:write. Scopes of a key do not change: mint another.',
    failing: buildSubmission({}, bearer(EXAMPLE_KEYS.readOnly)),
    fixed: buildSubmission({}, bearer(EXAMPLE_KEYS.writeOnly)),
  }),
  'scope-missing-read': declareProblem({
    ...scopeMissing('ingest:read'),
    happens: 'The key is valid, but may not read receipts.',
    remedy: 'Poll with a key of the same practice that has the scope ingest:read.',
    failing: buildPoll(EXAMPLE_KEYS.writeOnly),
    fixed: buildPoll(EXAMPLE_KEYS.readOnly),
  }),
  'used-elsewhere': declareProblem({
    status: 403,
    code: 'forbidden',
    diagnostics:
      'This API key may not be used from the address that the request comes from. Send the request from an allowed address, or ask the practice to allow this one.',
    happens:
      'The key is valid, but only for certain addresses, and the request comes from another one. It is refused before its body is read.',
    remedy:
      'Send it from an allowed address. If the sender moved, a practice Admin adds the new address. For a partner feed key, the service staff do. The key stays the same.',
    failing: buildSubmission({}, bearer(EXAMPLE_KEYS.bound)),
  }),
  'partner-outside-beta': declareClosedGate(false, 'Active', {
    happens:
      'The key is a partner feed key, and the partner organization is not in the partner-EHR beta.',
    remedy: 'Ask the service staff. Native keys of the practice are not affected.',
  }),
  'partner-pending': declareClosedGate(true, 'Pending', {
    happens: 'The contract status of the partner organization is still Pending.',
    remedy: 'The key works as soon as the status is Active; no new one is needed.',
  }),
  'partner-suspended': declareClosedGate(true, 'Suspended', {
    happens: 'The contract of the partner organization is suspended.',
    remedy: 'The key works again once the partner is back to Active.',
  }),
  'no-such-ingestion': declareProblem({
    status: 404,
    code: 'not-found',
    diagnostics:
      'Your practice has no ingestion with this id. Poll the address in Content-Location, with a key of the practice that submitted.',
    happens:
      'No ingestion of the key’s practice has this id. The answer is the same if another practice has it.',
    remedy: 'Poll the address in Content-Location with a key of the practice that submitted.',
    failing: buildPoll(EXAMPLE_KEYS.writeAndRead, '/api/registry/fhir/ingestions/V1StGXR8'),
    fixed: buildPoll(),
  }),
  'no-proof-yet': declareProblem({
    status: 404,
    code: 'not-found',
    diagnostics:
      'There is no proof of this receipt yet: it is made within a minute after the ingestion has ended. Ask again after the seconds in Retry-After.',
    headers: { 'Retry-After': String(PROOF_RETRY_SECONDS) },
    happens: 'The ingestion has not ended, or no checkpoint of the log covers its end yet.',
    remedy: 'Ask again after the seconds in Retry-After.',
    failing: buildPoll(
      EXAMPLE_KEYS.writeAndRead,
      '/api/registry/fhir/ingestions/V1StGXR8_Z5jdHi6B-myT/proof',
    ),
    fixed: buildPoll(),
  }),
  'proof-of-another-sender': declareProblem({
    status: 403,
    code: 'forbidden',
    diagnostics:
      'Another sender of your practice submitted this Bundle, and the proof would show other Bundles of that sender. Ask for it with a key of that sender.',
    happens:
      'The receipt is of a Bundle that another sender of the practice submitted, a partner or the practice itself, and the event that ended it also ended others.',
    remedy: 'Ask with a key of the sender. The receipt itself is for every key of the practice.',
    failing: {
      ...buildPoll(
        EXAMPLE_KEYS.writeAndRead,
        `/api/registry/fhir/ingestions/${EXAMPLE_INGESTION}/proof`,
      ),
      while: 'another sender submitted it',
    },
    fixed: buildPoll(),
  }),
  'nothing-at-base': declareProblem({
    status: 404,
    code: 'not-found',
    diagnostics:
      'Nothing is taken at the FHIR base, transactions and batches neither. POST the Bundle to /api/registry/fhir/Bundle.',
    happens:
      'The request went to the FHIR base, where many FHIR clients send transactions, batches, and searches.',
    remedy: `Submit to /api/registry/fhir/Bundle, whatever the type of the Bundle is.`,
    failing: buildSubmission({ path: '/api/registry/fhir' }),
  }),
  'nothing-here': declareProblem({
    status: 404,
    code: 'not-found',
    diagnostics:
      'There is nothing at this address. The contract at /openapi.json lists the addresses.',
    happens: 'Nothing is at this address. There is nothing to list or query.',
    remedy: `Submit to /api/registry/fhir/Bundle, poll /api/registry/fhir/ingestions/{id}, which has its proof at /proof.`,
    failing: buildPoll(EXAMPLE_KEYS.writeAndRead, '/api/registry/fhir/Patient'),
    fixed: buildPoll(),
  }),
  'only-post': declareProblem({
    ...methodNotSupported('POST'),
    happens:
      'The request tried to put, patch, or list Bundles. The header Allow names the methods that work.',
    remedy: 'Amend a record by a POST with the same chart number.',
    failing: buildSubmission({ method: 'PUT' }),
  }),
  'only-get': declareProblem({
    ...methodNotSupported('GET, HEAD'),
    happens: 'The request tried to change a receipt, which can only be read.',
    remedy: 'Use GET. A record is retracted by a Bundle, not by deleting its ingestion.',
    failing: buildSubmission({ path: `/api/registry/fhir/ingestions/${EXAMPLE_INGESTION}` }),
    fixed: buildPoll(),
  }),
  'body-too-long': declareProblem({
    status: 413,
    code: 'too-long',
    diagnostics: `The body has more than ${MAX_BODY_MIB} MiB. Send the courses of care in several Bundles.`,
    happens: `The body has more than ${MAX_BODY_MIB} MiB, counted after decompression.`,
    remedy: 'Split the batch; leave out attachments, which the registry does not keep.',
    failing: buildSubmission({
      whole: {
        note: `with more than ${MAX_BODY_MIB} MiB`,
        body: (birth) => birth.padEnd(MAX_BODY_BYTES + 1),
      },
    }),
  }),
  'too-many-values': declareProblem({
    status: 413,
    code: 'too-long',
    diagnostics: `The body holds more than ${MAX_VALUES.toLocaleString('en-US')} values. Send the courses of care in several Bundles.`,
    happens: `The body holds more than ${MAX_VALUES.toLocaleString('en-US')} values, far more than Bundles of its size do.`,
    remedy: 'Split the batch; look for a loop in what builds the Bundle.',
    failing: buildSubmission({
      body: '{"resourceType":"Bundle","entry":[[],[],[]',
      whole: {
        note: `and so on, more than ${MAX_VALUES.toLocaleString('en-US')} values`,
        body: () => `{"resourceType":"Bundle","entry":[${'[],'.repeat(MAX_VALUES)}[]]}`,
      },
    }),
  }),
  'body-too-costly': declareProblem({
    status: 413,
    code: 'too-costly',
    diagnostics:
      'The body takes too long to read. Send the courses of care in several Bundles, without attachments and narrative.',
    happens:
      'Reading the body was ended, because it took more time or memory than any real Bundle needs. Nothing was accepted.',
    remedy: 'Split the batch, and look for lists with thousands of elements.',
    failing: buildSubmission({
      whole: { note: 'with lists of many thousands', body: (birth) => birth.padEnd(ONE_MEBIBYTE) },
      while: 'reading takes too long',
    }),
  }),
  'too-many-requests': declareProblem({
    status: 429,
    // The body is not an OperationOutcome.
    code: null,
    diagnostics:
      'Too many requests. Wait for the seconds in Retry-After, then send the request again.',
    happens: `More than ${USUAL_REQUESTS_PER_MINUTE} requests in a minute, submissions and polls together, with one API key, or from one address without a key. The body is not an OperationOutcome: it is JSON with a message if Accept asks for JSON, or else a page.`,
    remedy:
      'Wait as long as Retry-After says. Put births into batches, and poll when the Retry-After of the 202 says so. X-RateLimit-Remaining shows what is left.',
    failing: {
      ...buildPoll(),
      headers: { ...bearer(EXAMPLE_KEYS.writeAndRead), Accept: 'application/json' },
      times: USUAL_REQUESTS_PER_MINUTE + 1,
    },
    fixed: buildPoll(),
  }),
  'internal-fault': declareProblem({
    status: 500,
    code: 'exception',
    diagnostics:
      'Internal error. Send the request again; if it fails again, give the X-Correlation-Id of this response to support.',
    happens: 'The registry has a fault. The request may be correct.',
    remedy:
      'Send the request again, with the same Idempotency-Key if it had one; if it fails again, give the X-Correlation-Id to support.',
    failing: buildSubmission({ while: 'a fault' }),
  }),
  'too-slow': declareProblem({
    status: 408,
    code: 'timeout',
    diagnostics:
      'The request did not arrive in time. Send it again, over a faster connection or in smaller parts.',
    happens:
      'The headers took more than 30 seconds to arrive, or the whole request more than two minutes. The connection is closed, and nothing was accepted.',
    remedy:
      'Send the request again without pauses, or a batch in parts. With an Idempotency-Key it is taken once.',
    failing: buildSubmission({ while: 'the connection is slow' }),
  }),
  'headers-too-long': declareProblem({
    status: 431,
    code: 'too-long',
    diagnostics:
      'The headers of the request are longer than 16 KiB. Shorten them, then send it again.',
    happens: 'The address and the headers of the request have more than 16 KiB together.',
    remedy: 'Send a shorter Idempotency-Key, and leave out headers that are not needed.',
    failing: buildSubmission({ while: 'a header is endless' }),
  }),
  'expectation-unknown': declareProblem({
    status: 417,
    code: 'not-supported',
    diagnostics:
      'The header Expect asks for something else than 100-continue. Send the request without it.',
    happens: 'The header Expect has another value than 100-continue.',
    remedy: 'Send the request without the header.',
    failing: buildSubmission({ while: 'a header expects something' }),
  }),
  unavailable: declareProblem({
    status: 503,
    code: 'transient',
    // A hanging store may have stored the request.
    diagnostics:
      'The registry is temporarily unavailable. Send the request again shortly. With an Idempotency-Key it is processed once, even if this attempt succeeded.',
    headers: { 'Retry-After': '2' },
    happens:
      'The database is unavailable, or the event log is, and the registry needs it to check the key. A 202 always means that the Bundle is stored.',
    remedy:
      'Send the request again after Retry-After. With an Idempotency-Key it is taken once, however often it is sent.',
    failing: buildSubmission({ while: 'a store is away' }),
  }),
  'queue-full': declareProblem({
    ...queueFull(60),
    happens:
      'Too many records are waiting to be processed: the event log was unavailable for a long time, or more records arrive than the registry can process.',
    remedy: 'Send the request again after Retry-After. What had its 202 before is safe.',
    failing: buildSubmission({ while: 'the queue is full' }),
  }),
  'practice-share-used': declareProblem({
    ...practiceShareUsed(60),
    happens:
      'Too many records of the practice are waiting to be processed, from all its keys and files together. A practice may fill 80 % of what the other practices leave free in the queue.',
    remedy:
      'Send the request again after Retry-After. Other practices are not affected, and what had its 202 before is safe.',
    failing: buildSubmission({ while: 'the practice has filled its share' }),
  }),
  'body-waits': declareProblem({
    status: 503,
    code: 'transient',
    diagnostics: `The registry is reading other long Bundles, and nothing of this one was taken. Send it again in ${BUSY_RETRY_SECONDS} s, or send fewer at a time.`,
    headers: { 'Retry-After': String(BUSY_RETRY_SECONDS) },
    happens:
      'Long bodies, from 256 KiB, share one part of the registry’s memory, of which one practice may use half, and are read one at a time. Too many arrived at once.',
    remedy:
      'Send the request again after Retry-After, with the same Idempotency-Key if it had one. Send large batches one after the other.',
    failing: buildSubmission({
      whole: { note: 'with more than 256 KiB', body: (birth) => birth.padEnd(ONE_MEBIBYTE) },
      while: 'other long bodies are read',
    }),
  }),
  'body-too-slow': declareProblem({
    status: 503,
    code: 'transient',
    diagnostics: `The body arrived so slowly that it had to make room for others, and nothing of it was taken. Send it again in ${BUSY_RETRY_SECONDS} s without pauses, or a batch in parts.`,
    headers: { 'Retry-After': String(BUSY_RETRY_SECONDS) },
    happens:
      'A long body arrived more slowly than 1 MiB in a second, and others waited for the memory that it held.',
    remedy:
      'Send the request again after Retry-After, with the same Idempotency-Key if it had one, or send a batch in parts.',
    failing: buildSubmission({
      whole: { note: 'with more than 256 KiB', body: (birth) => birth.padEnd(ONE_MEBIBYTE) },
      while: 'others wait for a slow body',
    }),
  }),
  starting: declareProblem({
    status: 503,
    code: 'transient',
    diagnostics: 'The service is starting. Send the request again shortly.',
    headers: { 'Retry-After': '1' },
    happens: 'The service has just started and is not ready yet.',
    remedy: 'Send the request again after Retry-After.',
    failing: buildSubmission({ while: 'starting' }),
  }),
};
